import KeyedArchives
import PersistentStores
import SQLiteAccess
import StoreConversion

/// A store of lines: what the store says of itself, then an object on each, its values between tabs.
///
///     line-store <tab> UUID <tab> metadata, a binary property list in hexadecimal digits
///     Entity <tab> key <tab> a value for each attribute <tab> the keys of related objects for each relationship
///
/// Values are exact: `i5`, `r` and the bits of a real, `t` and a text, `b` and the digits of data; NULL is nothing.
struct LineStoreFormat: AtomicStoreFormat {
    static let beginning = Array("line-store\t".utf8)

    let type = PersistentStoreType("Lines")
    let fileExtensions = ["lines"]

    func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: Self.beginning) }

    func metadata(at path: String) throws -> StoreMetadata {
        let lines = try LineFile(reading: path)
        guard let fields = try lines.next()?.split(separator: LineFile.tab, omittingEmptySubsequences: false),
            fields.count == 3, let list = [UInt8](hexadecimal: fields[2]),
            let entries = try PropertyListReader.value(from: list).dictionary
        else { throw LineStoreError(path: path, line: 1, reason: "the metadata are damaged") }
        return StoreMetadata(uuid: String(decoding: fields[1], as: UTF8.self), entries: entries)
    }

    func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try LineStoreReader(path: path, forms: forms)
    }

    func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try LineStoreWriter(path: path, forms: forms, metadata: metadata)
    }
}

/// A store that is not what it says.
struct LineStoreError: Error, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): \(reason)" }
}
