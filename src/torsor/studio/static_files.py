"""A page that is served, with its script, its style and its fonts: the files of static/, built by make web."""

from importlib.resources import files

from fastapi import FastAPI, Response

_FOLDER = files("torsor.studio").joinpath("static")
KINDS = {".js": "text/javascript", ".css": "text/css"}


def add_files(app: FastAPI, page: str) -> None:
    """The page at /, what it is made of below /static."""
    known = {page + suffix: kind for suffix, kind in KINDS.items()}
    known |= {each.name: "font/woff2" for each in _FOLDER.iterdir() if each.name.endswith(".woff2")}

    @app.get("/")
    def whole() -> Response:
        return Response(_static(f"{page}.html"), media_type="text/html")

    @app.get("/static/{name}")
    def part(name: str) -> Response:
        """One of these files, by its name: nothing of the request becomes a path."""
        if name not in known:
            nothing = b'{"error":{"text":"there is no such file"}}'
            return Response(nothing, status_code=404, media_type="application/json")
        return Response(_static(name), media_type=known[name])


def _static(name: str) -> bytes:
    return _FOLDER.joinpath(name).read_bytes()
