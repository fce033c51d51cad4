import PersistentStores

extension BinaryStoreHeader {
    /// Returns the range of the object archive in a file.
    ///
    /// - Throws: `ConversionError` if the header has another version, or contains a range outside of the file.
    func objects(of path: String) throws(ConversionError) -> Range<Int64> {
        guard formatVersion == Self.version else {
            throw ConversionError(.malformed("version \(formatVersion) of the binary format is not known"), path: path)
        }
        let size = FileSystem.size(path) ?? 0
        guard let objects = objects(inFileOf: size), objects.lowerBound == Self.size, metadata(inFileOf: size) != nil,
            highestKey != nil
        else { throw ConversionError(.malformed("the header promises more than the file has"), path: path) }
        return objects
    }
}
