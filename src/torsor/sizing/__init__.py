"""What motors, gears and bearings of an arm must stand in a program, and the smallest of a catalogue that do."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.sizing.catalogue import Catalogue as Catalogue
    from torsor.sizing.catalogue import CatalogueGear as CatalogueGear
    from torsor.sizing.catalogue import CatalogueMotor as CatalogueMotor
    from torsor.sizing.catalogue import read_catalogue as read_catalogue
    from torsor.sizing.sizing import Sizing as Sizing
    from torsor.sizing.sizing import size as size
else:
    __getattr__, __dir__ = exports(__name__)
