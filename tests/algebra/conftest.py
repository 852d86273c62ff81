import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # traced_arms.py and random_graphs.py
