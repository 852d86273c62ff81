"""The five published works, reproduced: each figure and table redrawn or recounted, beside what the print says.

A leaf, as the bench is: only its command imports it.
"""
