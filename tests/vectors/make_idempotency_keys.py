#!/usr/bin/env python3
"""Writes idempotency_keys.tsv, which the C++ and the SQL tests read.

The rule is spelled out here a second time on purpose: expected values that come from the code
under test prove nothing.
"""
import hashlib
import pathlib
import uuid

PARTS = [
    ("acme", "order", "42", "created", "0"),
    ("acme", "Order", "42", "CREATED", "0"),
    ("ACME", "order", "42", "created", "0"),
    ("acme", "order", "AbC", "created", "V1"),
    ("acme", "order", "abc", "created", "v1"),
    ("a:b", "c", "d", "e", "f"),
    ("a", "b:c", "d", "e", "f"),
    ("a", "b", "c:d", "e", "f"),
    ("a", "b", "c", "d:e", "f"),
    ("a", "b", "c", "d", "e:f"),
    ("", "", "", "", ""),
    ("acme", "", "", "", "0"),
    ("", "", "", "", "acme"),
    ("acme", "order", "", "created", ""),
    ("6f1b7c1e-0f43-4f0e-9d3c-5f0a7b3f9f11", "invoice", "INV-2024-0007", "Paid", "2024-05-01"),
    ("mandant", "Ärger", "Straße", "GELÖSCHT", "é"),
    ("mandant", "ärger", "straße", "gelöscht", "é"),
    ("テナント", "注文", "四十二", "作成", "零"),
    ("😂", "\ue000", "\uffff", "\U0010ffff", "\u0080"),
    ("İ", "İI", "ıi", "ǅK", "K"),
    (" acme ", " order", "4 2", "created ", " "),
    ("'; --", "\"q\"", "back\\slash", "{}", "%s"),
    ("t", "x" * 255, "e", "k", "0"),
    ("t", "x" * 256, "e", "k", "0"),
    ("t", "X" * 3000, "e" * 3, "K" * 1000, "0"),
    ("é" * 200, "c", "é" * 200, "k", "0"),
]


def key(tenant, category, entity, kind, version):
    parts = [part.encode() for part in (tenant, category, entity, kind, version)]
    parts[1], parts[3] = parts[1].lower(), parts[3].lower()  # bytes.lower() is ASCII only
    text = b"outrider.key.v1" + b"".join(len(p).to_bytes(4, "big") + p for p in parts)
    first = bytearray(hashlib.sha256(text).digest()[:16])
    first[6] = first[6] & 0x0F | 0x80
    first[8] = first[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(first)))


def key_v0(*parts):
    joined = ":".join(parts).encode().lower()
    return str(uuid.UUID(bytes_le=hashlib.sha256(joined).digest()[:16]))


def main():
    rows = ["tenant\tcategory\tentity\tkind\tversion\tkey\tkey_v0"]
    rows += ["\t".join((*parts, key(*parts), key_v0(*parts))) for parts in PARTS]
    target = pathlib.Path(__file__).with_name("idempotency_keys.tsv")
    target.write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
