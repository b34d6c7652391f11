#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves what a wallet card signed and derived, by arithmetic that is none of the rig's: check_wallet.py RUN-FOLDER.

Reads the traces of a run and checks with the Python packages ecdsa and cryptography: signatures of hashes, proofs of card
and wallet, the manufacturer's and the issuer's signatures, certificates, and derived keys. What the rig judged is
not looked at. Encrypted bodies cannot be read and are left out. Ends with 1 when one is wrong, or a kind never came.
"""

import collections
import hashlib
import hmac
import json
import pathlib
import sys

import ecdsa
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# The published key of manufacturers of development cards.
MANUFACTURER = bytes.fromhex(
    "04BAB86D56298C996F564A84FC88E28AED38184B12F07E519113BEF48C76F3DF3A"
    "DC303599B08AC05B55EC3DF98D9338573A6242F76F5D28F4F0F364E87E8FCA2F"
)

P = 2**256 - 2**32 - 977
GENERATOR = ecdsa.SECP256k1.generator
ORDER = ecdsa.SECP256k1.order
COMPRESSED_ON = {"secp256k1": ecdsa.SECP256k1, "secp256r1": ecdsa.NIST256p}


def objects(data):
    """The data objects of a flat list; nothing when it is none."""
    found, rest = [], data
    while rest:
        if len(rest) < 2:
            return []
        tag, length, rest = rest[0], rest[1], rest[2:]
        if length == 0xFF:
            length, rest = int.from_bytes(rest[:2], "big"), rest[2:]
        if len(rest) < length:
            return []
        found.append((tag, rest[:length]))
        rest = rest[length:]
    return found


class Fields:
    """Data objects by their tags."""

    def __init__(self, data):
        self.items = objects(data)

    def __getitem__(self, tag):
        return next((value for other, value in self.items if other == tag), None)

    def all(self, tag):
        return [value for other, value in self.items if other == tag]


def sha256(data):
    return hashlib.sha256(data).digest()


def ecdsa_holds(key, digest, signature, curve=ecdsa.SECP256k1):
    try:
        return ecdsa.VerifyingKey.from_string(key, curve=curve).verify_digest(signature, digest)
    except (ecdsa.BadSignatureError, ecdsa.errors.MalformedPointError):
        return False


def bip340_holds(key, message, signature):
    """Source: BIP 340, verification."""
    x, r, s = int.from_bytes(key, "big"), int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    square = (pow(x, 3, P) + 7) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square or r >= P or s >= ORDER:
        return False
    point = ecdsa.ellipticcurve.Point(ecdsa.SECP256k1.curve, x, y if y % 2 == 0 else P - y)
    tag = sha256(b"BIP0340/challenge")
    e = int.from_bytes(sha256(tag + tag + signature[:32] + key + message), "big") % ORDER
    found = GENERATOR * s + point * (ORDER - e)
    return found != ecdsa.ellipticcurve.INFINITY and found.y() % 2 == 0 and found.x() == r


def ed25519_holds(key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except InvalidSignature:
        return False


def signature_holds(curve, key, given, signature):
    """Whether a wallet signed what SIGN gave it."""
    if curve in COMPRESSED_ON:
        return ecdsa_holds(key, given, signature, COMPRESSED_ON[curve])
    if curve == "bip0340":
        return bip340_holds(key, given, signature)
    return ed25519_holds(key, given, signature)


def proof_holds(curve, key, message, signature):
    """Whether a wallet signed a message of the card's own."""
    is_edwards = curve.startswith("ed25519")
    return signature_holds(curve, key, hashlib.sha512(message).digest() if is_edwards else sha256(message), signature)


def child(curve, key, chain, index):
    """The public child of a public key. Source: BIP 32, CKDpub; SLIP-0010 for the NIST curve."""
    on = COMPRESSED_ON[curve]
    parent = ecdsa.VerifyingKey.from_string(key, curve=on)
    data = parent.to_string("compressed") + index.to_bytes(4, "big")
    while True:
        made = hmac.new(chain, data, hashlib.sha512).digest()
        tweak = int.from_bytes(made[:32], "big")
        point = on.generator * tweak + parent.pubkey.point
        if tweak < on.order and point != ecdsa.ellipticcurve.INFINITY:
            return ecdsa.VerifyingKey.from_public_point(point, curve=on).to_string("compressed"), made[32:]
        data = b"\x01" + made[32:] + index.to_bytes(4, "big")


class Card:
    """What a card has told of itself."""

    def __init__(self):
        self.key = self.issuer = None
        self.curve = ""
        self.wallets = {}
        self.derived = {}

    def learn(self, fields, curve=None):
        """Takes a wallet record."""
        if fields[0x60] is None:
            return
        name = (fields[0x05] or curve or self.curve.encode()).rstrip(b"\0").decode()
        index = fields[0x65][0] if fields[0x65] else 0
        self.wallets[index] = (name, fields[0x60], fields[0x6B])

    def signer(self, command):
        """Curve and key of the wallet, or of the path, that a command names; no key where the card never showed it."""
        index = command[0x65][0] if command[0x65] else 0
        if index not in self.wallets:
            index = 0
        if index not in self.wallets:
            return "", None
        curve, key, _ = self.wallets[index]
        if command[0x6A]:
            key = self.derived.get((index, command[0x6A])) or self.follow(index, command[0x6A])
        return curve, key

    def follow(self, index, path):
        """The key at the end of a path without hardened parts; None where the host cannot follow."""
        curve, key, chain = self.wallets[index]
        if curve not in COMPRESSED_ON or chain is None:
            return None
        for place in range(0, len(path), 4):
            number = int.from_bytes(path[place : place + 4], "big")
            if number >= 2**31:
                return None
            key, chain = child(curve, key, chain, number)
        return key


class Check:
    """Counts what held and what did not."""

    def __init__(self):
        self.right = collections.Counter()
        self.unseen = 0
        self.wrong = []

    def judge(self, kind, holds, where):
        if holds:
            self.right[kind] += 1
        else:
            self.wrong.append(f"{where}: {kind}")

    def trace(self, path):
        cards = collections.defaultdict(Card)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            record = json.loads(line)
            if "c" not in record or "r" not in record or not record["r"].endswith("9000"):
                continue
            sent = bytes.fromhex(record["c"].replace("**", "00"))
            if sent[2] != 0 or len(sent) < 7 or sent[1] in (0xA4, 0xFF, 0xF1):
                continue
            command = Fields(sent[7 : 7 + int.from_bytes(sent[5:7], "big")])
            answer = Fields(bytes.fromhex(record["r"].replace("**", "00"))[:-2])
            identifier = answer[0x01]
            if identifier is None:
                continue
            handler = self.handlers.get(sent[1])
            if handler:
                handler(self, cards[identifier], identifier, command, answer, f"{path.name}:{number}")

    def read(self, card, identifier, command, answer, where):
        if answer[0x03]:
            card.key, card.issuer = answer[0x03], answer[0x30]
            card.curve = (answer[0x05] or b"").rstrip(b"\0").decode()
            card.learn(answer)
            signature = Fields(answer[0x0C])[0x86]
            if signature:
                self.judge("manufacturer", ecdsa_holds(MANUFACTURER, sha256(identifier), signature), where)
            return
        if command[0x6A]:
            index = command[0x65][0]
            card.derived[(index, command[0x6A])] = answer[0x60]
            followed = card.follow(index, command[0x6A])
            if followed:
                self.judge("derived key", followed == answer[0x60], where)
            return
        card.learn(answer)
        for wallet in answer.all(0x68):
            card.learn(Fields(wallet))

    def create(self, card, identifier, command, answer, where):
        card.learn(answer, command[0x05])

    def sign(self, card, identifier, command, answer, where):
        size = int.from_bytes(command[0x51], "big")
        hashes = [command[0x50][start : start + size] for start in range(0, len(command[0x50]), size)]
        each = len(answer[0x61]) // len(hashes)
        curve, key = card.signer(command)
        if key is None:
            self.unseen += 1
            return
        for place, given in enumerate(hashes):
            signature = answer[0x61][place * each : (place + 1) * each]
            self.judge(f"signature {curve}", signature_holds(curve, key, given, signature), where)

    def attest_card(self, card, identifier, command, answer, where):
        message = command[0x16] + answer[0x17]
        kind = "card"
        if answer.all(0xD6):
            kind = "card with its set"
            message += b"BACKUP_CARDS" + b"".join(answer.all(0xD6))
        self.judge(kind, ecdsa_holds(card.key, sha256(message), answer[0x04]), where)

    def attest_wallet(self, card, identifier, command, answer, where):
        curve, key = card.signer(command)
        if key is not None:
            message = command[0x16] + answer[0x17]
            self.judge(f"wallet {curve}", proof_holds(curve, key, message, answer[0x61]), where)
        else:
            self.unseen += 1
        if answer[0x04] and card.wallets:
            index = command[0x65][0] if command[0x65] else 0
            message = card.wallets[index if index in card.wallets else 0][1]
            if answer[0x15]:
                message += command[0x14] + answer[0x15]
            message += answer[0x02] or b""
            self.judge("wallet by its card", ecdsa_holds(card.key, sha256(message), answer[0x04]), where)

    def write_issuer_data(self, card, identifier, command, answer, where):
        if command[0x23] is None:
            message = identifier + command[0x32] + (command[0x35] or b"")
            self.judge("issuer data", ecdsa_holds(card.issuer, sha256(message), command[0x33]), where)

    def read_issuer_data(self, card, identifier, command, answer, where):
        if command[0x23] is None and answer[0x32]:
            message = identifier + answer[0x32] + (answer[0x35] or b"")
            self.judge("issuer data", ecdsa_holds(card.issuer, sha256(message), answer[0x33]), where)

    def link(self, card, identifier, command, answer, where):
        for part in command.all(0xD4):
            certificate = Fields(Fields(part)[0x55])
            holds = ecdsa_holds(card.issuer, sha256(certificate[0x03]), certificate[0x33])
            self.judge("certificate", holds, where)

    handlers = {
        0xF2: read,
        0xF8: create,
        0xFB: sign,
        0xF3: attest_card,
        0xF9: attest_wallet,
        0xF6: write_issuer_data,
        0xF7: read_issuer_data,
        0xEA: link,
    }


KINDS = [
    "manufacturer",
    "card",
    "card with its set",
    "wallet by its card",
    "issuer data",
    "certificate",
    "derived key",
    *[f"signature {curve}" for curve in ("secp256k1", "secp256r1", "ed25519", "ed25519_slip0010", "bip0340")],
    *[f"wallet {curve}" for curve in ("secp256k1", "secp256r1", "ed25519", "ed25519_slip0010", "bip0340")],
]


def main(folder):
    check = Check()
    for path in sorted((pathlib.Path(folder) / "traces").rglob("*.jsonl")):
        if path.parent.name.startswith("tangem."):
            check.trace(path)
    for kind in KINDS:
        print(f"{check.right[kind]:6} {kind}")
    print(f"{check.unseen:6} not judged, since the card had not shown the key")
    for sentence in check.wrong:
        print(f"wrong: {sentence}")
    missing = [kind for kind in KINDS if not check.right[kind]]
    if missing:
        print(f"never came: {', '.join(missing)}")
    return 1 if check.wrong or missing else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_wallet.py RUN-FOLDER")
    sys.exit(main(sys.argv[1]))
