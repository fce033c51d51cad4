public import PersistentStores

/// Reads binary values that may be in files beside the store (docs/format/sqlite-store.md#external-binary-data).
public struct ExternalDataReader: Sendable {
    private let directory: String

    /// Prepares to read the external data of a store.
    public init(of files: StoreFiles) {
        directory = files.externalDataDirectory
    }

    /// Returns the bytes of a tagged value: tag 01 precedes the bytes themselves, tag 02 the name of a file.
    /// - Throws: `ExternalDataError` if the file is missing, or the value has another tag.
    public func bytes(of value: [UInt8]) throws -> [UInt8] {
        switch value.first {
        case 1: return Array(value.dropFirst())
        case 2 where value.count == 38:
            let name = String(decoding: value[1..<37], as: UTF8.self)
            // A name other than a UUID could lead out of the folder.
            guard ExternalRecord.isName(name) else { throw ExternalDataError(name: name, isMissing: false) }
            guard let bytes = try ExternalRecord.content(named: name, in: directory) else {
                throw ExternalDataError(name: directory + "/" + name, isMissing: true)
            }
            return bytes
        default: throw ExternalDataError(name: "", isMissing: false)
        }
    }
}

/// A binary value whose bytes cannot be read.
public struct ExternalDataError: Error, Sendable, CustomStringConvertible {
    let name: String
    let isMissing: Bool

    public var description: String {
        isMissing
            ? "the external data \(name) are not there; restore the folder that belongs to the store"
            : "a value is neither binary data nor the name of external data; the store is damaged"
    }
}
