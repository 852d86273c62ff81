"""From the commands of a program to its motion."""
