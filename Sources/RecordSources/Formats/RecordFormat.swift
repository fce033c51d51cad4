/// A format of sources: how its files are recognized, opened, sampled and described in mappings.
///
/// To add a format, add a folder with a conformance, and a line in `RecordFormats.all`.
package protocol RecordFormat: Sendable {
    var kind: SourceFormat.Kind { get }
    /// The usual name of the format's files.
    var title: String { get }
    /// The file name extensions, in lower case, without the dot.
    var fileExtensions: [String] { get }
    /// The keys of a mapping's source that apply to this format.
    var keys: [String] { get }
    /// The keys that only this format has, with texts as values. They are stored in `SourceFormat.texts`.
    var ownKeys: [String] { get }
    var shape: RecordShape { get }
    /// Whether files can be read from front to back, so that they can be compressed or come from standard input.
    var isStream: Bool { get }
    /// Whether the document itself contains the records if no path is given.
    var hasDefaultRecords: Bool { get }

    /// The format in which rejected records are written.
    var rejectKind: SourceFormat.Kind { get }

    /// How records without bytes of their own are written when they are rejected; nil if all records have bytes.
    var rendering: (any RecordRendering.Type)? { get }
    /// How files are divided among the shards of an import.
    var division: RecordDivision { get }

    /// Returns the number of records in a source that is divided by record numbers.
    func recordCount(_ path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> Int

    /// Returns whether the first bytes of a file identify the format, whatever the file is called.
    func isCertain(_ start: [UInt8]) -> Bool
    /// Returns whether a file whose name says nothing is probably of this format. `first` is its first significant
    /// byte.
    func isLikely(_ start: [UInt8], first: UInt8?) -> Bool

    /// Returns the columns of a flat source; nil for a nested one.
    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]?

    /// Opens a source, at a position from an earlier run if one is given.
    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource

    /// Returns samples of a file for a draft, one for each kind of record in it.
    /// - Parameter names: the names that columns probably have, as `HeaderDetection.plain` returns them.
    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample]

    /// Returns the kinds of record that a file may contain; the document itself comes first.
    func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample]
}

/// The structure of the records of a format.
package enum RecordShape {
    /// Rows with columns; a file contains one kind of record.
    case flat
    /// Trees.
    case nested
    /// Tables, one of which the mapping specifies.
    case tables
}

/// How files are divided among the shards of an import.
package enum RecordDivision {
    /// Each shard has a range of bytes, and reads the records that begin in it.
    case bytes
    /// Each shard has the same number of records.
    case records
    /// A file belongs to a single shard.
    case none
}

extension RecordFormat {
    var rendering: (any RecordRendering.Type)? { nil }
    var division: RecordDivision { .none }
    func recordCount(_ path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> Int { 0 }
    var ownKeys: [String] { [] }
    var isStream: Bool { true }
    var hasDefaultRecords: Bool { true }
    var rejectKind: SourceFormat.Kind { kind }
    func isCertain(_ start: [UInt8]) -> Bool { false }
    func isLikely(_ start: [UInt8], first: UInt8?) -> Bool { false }
    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]? { nil }
    func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample] {
        try samples(of: path, names: [], within: limits)
    }
}
