"""Counts what some lint rules must find in source models, from the XML alone: shares no code with the linter.

Reads paths of `contents` files from standard input, one a line, and prints `PATH<tab>CODE<tab>COUNT` for each.
"""

import collections
import sys
import xml.etree.ElementTree

SCALARS = {"Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean"}
INSECURE = {None, "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"}


def on(element, name):
    return element.get(name) in ("YES", "yes", "true", "1")


def has_default(attribute):
    return attribute.get("defaultValueString") is not None or attribute.get("defaultDateTimeInterval") is not None


def attribute_codes(attribute):
    kind = attribute.get("attributeType")
    plain = not on(attribute, "transient") and not on(attribute, "derived")
    if kind is None and plain:
        yield "FM201"
    if kind in SCALARS and plain and not has_default(attribute):
        if not on(attribute, "optional"):
            yield "FM205"
        elif on(attribute, "usesScalarValueType"):
            yield "FM207"
    if kind == "Transformable" and not on(attribute, "transient"):
        if attribute.get("valueTransformerName") in INSECURE:
            yield "FM206"
        if attribute.get("valueTransformerName") == "NSSecureUnarchiveFromDataTransformerName":
            yield "FM210"


def relationship_codes(relationship):
    many = on(relationship, "toMany")
    if not relationship.get("inverseName"):
        yield "FM301"
    if many and not on(relationship, "optional") and not on(relationship, "transient"):
        if relationship.get("minCount", "0") == "0":
            yield "FM304"
    if relationship.get("deletionRule") == "No Action" and not on(relationship, "transient"):
        yield "FM307"
    if on(relationship, "ordered") and not many:
        yield "FM311"


def codes(root):
    for entity in root.iter("entity"):
        if entity.get("name")[0].islower():
            yield "FM104"
        properties = [child for child in entity if child.tag in ("attribute", "relationship", "fetchedProperty")]
        for item in properties:
            if item.get("name")[0].isupper():
                yield "FM104"
            if item.get("name") in ("deleted", "updated", "inserted", "fault"):
                yield "FM102"
        indexed = any(on(item, "indexed") for item in properties)
        if indexed or entity.find("compoundIndexes/compoundIndex") is not None:
            yield "FM405"
        for attribute in entity.findall("attribute"):
            yield from attribute_codes(attribute)
        for relationship in entity.findall("relationship"):
            yield from relationship_codes(relationship)


for line in sys.stdin:
    path = line.rstrip("\n")
    counts = collections.Counter(codes(xml.etree.ElementTree.parse(path).getroot()))
    for code, count in sorted(counts.items()):
        print(path, code, count, sep="\t")
