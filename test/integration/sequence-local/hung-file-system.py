"""Mounts a FUSE file system that never answers anything, and says "ready". It goes with this process.

usage: hung-file-system.py DIRECTORY [BLOCK-DEVICE]

With a block device its umount waits for an answer, too, and cannot be killed while it does.
"""
import ctypes
import os
import struct
import sys
import time

INIT = 26

directory, *block_device = sys.argv[1:]
device = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
source, kind = (block_device[0], "fuseblk") if block_device else ("hung", "fuse")
options = f"fd={device},rootmode=40000,user_id=0,group_id=0" + (",blksize=512" if block_device else "")
if libc.mount(source.encode(), directory.encode(), kind.encode(), 0, options.encode()) != 0:
    sys.exit("mount: " + os.strerror(ctypes.get_errno()))
request = os.read(device, 65536)
_, opcode, unique = struct.unpack_from("<IIQ", request)
if opcode != INIT:
    sys.exit(f"the kernel began with request {opcode}")
# fuse_init_out of protocol 7.31: after it the kernel has a file system, and waits for every answer.
answer = struct.pack("<IIIIHHII", 7, 31, 65536, 0, 1, 1, 4096, 1).ljust(64, b"\0")
os.write(device, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)
print("ready", flush=True)
time.sleep(60)
