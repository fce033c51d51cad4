/// A format of sources: how its files are recognised, opened, sampled and described in mappings.
///
/// To add one: a folder with a conformance, and a line in `RecordFormats.all`.
package protocol RecordFormat: Sendable {
    var kind: SourceFormat.Kind { get }
    /// What people call files of the format.
    var title: String { get }
    /// The endings of its files, in lower case, without the dot.
    var fileExtensions: [String] { get }
    /// The keys of a mapping's source that are for it.
    var keys: [String] { get }
    /// Those of them that no other format has, with texts as values: they are in `SourceFormat.texts`.
    var ownKeys: [String] { get }
    var shape: RecordShape { get }
    /// Whether it can be read from front to back: from standard input, or compressed.
    var isStream: Bool { get }
    /// Whether the document itself holds the records where no path says otherwise.
    var hasDefaultRecords: Bool { get }

    /// The format in which rejected records are written.
    var rejectKind: SourceFormat.Kind { get }

    /// How rejected records are written that have no bytes of their own; nil if all have.
    var rendering: (any RecordRendering.Type)? { get }
    /// How a file is divided among the shards of an import.
    var division: RecordDivision { get }

    /// How many records a source has, where it is divided by their numbers.
    func recordCount(_ path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> Int

    /// Whether a file is of the format by its first bytes, whatever it is called.
    func isCertain(_ start: [UInt8]) -> Bool
    /// Whether a file looks so whose name says nothing. `first` is its first byte that says something.
    func isLikely(_ start: [UInt8], first: UInt8?) -> Bool

    /// The columns of a flat source; nil for a nested one.
    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]?

    /// Opens a source, at a position from an earlier run where one is given.
    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource

    /// The samples of a file for a draft: one for each kind of records that is in it.
    func samples(of path: String, within limits: DraftLimits) throws -> [SourceSample]

    /// The kinds of records that a file may hold: the document itself comes first.
    func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample]
}

/// What the records of a format are made of.
package enum RecordShape {
    /// Rows of columns: one kind of records in a file.
    case flat
    /// Trees.
    case nested
    /// Tables, of which a mapping names one.
    case tables
}

/// How a file is divided among the shards of an import.
package enum RecordDivision {
    /// A record belongs to the shard in whose bytes it begins.
    case bytes
    /// Each shard has as many records.
    case records
    /// The file belongs to one shard.
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
        try samples(of: path, within: limits)
    }
}
