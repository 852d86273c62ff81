"""Takes the picture of docs/monitoring.md: a simulated robot that is pushed, as `torsor monitor` shows it.

python docs/monitor_picture.py [FILE [ROBOT]]
"""

import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver

HERE = Path(__file__).parent
COMMAND = "import sys; from torsor.cli import main; sys.exit(main(sys.argv[1:]))"
PUSHED = 7.0  # s
FLAGS = "--headless --no-sandbox --disable-gpu --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
FLAGS += " --disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1.25 --window-size=1360,960"


def free_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"udp://127.0.0.1:{probe.getsockname()[1]}"


def main(file: str = str(HERE / "monitor.png"), robot: str = "rl15") -> None:
    place = free_address()
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in FLAGS.split():
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", COMMAND, "monitor", place, "--robot", robot, "--no-open"]
        watching = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = next(found[1] for line in watching.stderr if (found := re.search(r"(http://\S+)", line)))
        browser.get(address)
        sender = [sys.executable, HERE.parent / "examples" / "robot_sender.py", "--robot", robot, "--to", place]
        trouble = ["--collision", str(PUSHED), "--payload", "2", "--seconds", "30"]
        sending = subprocess.Popen([*sender, *trouble], stdout=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 120.0
            while browser.execute_script("return torsor.time()") < PUSHED + 3.5 and time.monotonic() < until:
                time.sleep(0.1)
            browser.execute_script(f"torsor.setTime({PUSHED + 0.15})")
            time.sleep(1.0)  # what stands still is drawn in full
            browser.save_screenshot(file)
            print(file)
        finally:
            browser.quit()
            sending.terminate()
            watching.send_signal(signal.SIGINT)
            watching.communicate()


if __name__ == "__main__":
    main(*sys.argv[1:3])
