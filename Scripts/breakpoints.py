"""Run by gdb in an app of GNUstep: writes a line to BREAKPOINTS_LOG for each message that the methods of METHODS get."""
import os
import struct

import gdb

log = open(os.environ["BREAKPOINTS_LOG"], "w", buffering=1)
REGISTERS = ("$x0", "$x2") if "aarch64" in gdb.selected_frame().architecture().name() else ("$rdi", "$rdx")


def word(address):
    return struct.unpack("<Q", gdb.selected_inferior().read_memory(address, 8).tobytes())[0]


def names(of_class):
    """Those of a class of GCC's runtime and of its superclasses."""
    while of_class:
        yield gdb.Value(word(of_class + 16)).cast(gdb.lookup_type("char").pointer()).string()
        of_class = word(of_class + 8)


class Method(gdb.Breakpoint):
    def __init__(self, selector, address):
        super().__init__(f"*{address}", internal=True)
        self.selector = selector

    def stop(self):
        receiver, argument = (int(gdb.parse_and_eval(f"(unsigned long){register}")) for register in REGISTERS)
        # Key-value observing changes the class of an object, not what it is.
        classes = [name for name in names(word(receiver)) if not name.startswith("GSKVO")]
        if "NSMenu" in classes:
            classes, receiver = ["NSMenu"], 0
        # An event has its type first.
        kind = word(argument + 8) & 0xFFFFFFFF if self.selector == "sendEvent:" else 0
        log.write(f"{self.selector} {classes[0]} {receiver} {kind}\n")
        return False


for line in sorted(set(open(os.environ["METHODS"]))):
    if line != "end\n":
        Method(*line.split())
log.write("ready\n")
