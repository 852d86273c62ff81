"""CPU seconds that ``import torsor`` adds to ``import numpy``, the median over fresh interpreters; at most 0.1.

python benchmarks/import_time.py
"""

import statistics
import subprocess
import sys

RUNS = 15
PROGRAM = """
import time
import numpy
before = time.process_time()
import torsor
print(time.process_time() - before)
"""

if __name__ == "__main__":
    seconds = [
        float(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)
        for _ in range(RUNS)
    ]
    print(f"import torsor adds {statistics.median(seconds):.3f} s CPU to import numpy (best {min(seconds):.3f} s)")
