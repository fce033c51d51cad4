import KeyedArchives

/// A property list in any of the three formats as XML.
func xmlPropertyList(from bytes: [UInt8]) throws -> String {
    let value = try PropertyListReader.value(from: bytes)
    return try XMLPropertyListWriter.text(for: value)
}
