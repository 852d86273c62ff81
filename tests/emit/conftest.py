import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # emit_oracle.py and emit_tracing.py
