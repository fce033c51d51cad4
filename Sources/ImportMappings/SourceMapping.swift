public import RecordConversion
public import RecordSources

/// How the records of one kind of source become objects.
public struct SourceMapping: Hashable, Sendable, Codable {
    /// A name for messages.
    public var name: String

    /// The files that it is for, as the last part of a path with `*` for any characters; empty for any file.
    public var files: [String]

    /// What kind of file it is, and how it is read.
    public var format: SourceFormat

    /// What holds for all values of the source, unless an attribute says otherwise.
    public var settings: ConversionSettings

    /// Which records become objects, the others being skipped; nil for all.
    public var filter: RecordFilter?

    /// The objects that one record makes; the first is the record's own, others may refer to it and it to them.
    public var objects: [ObjectMapping]

    /// Makes the mapping of a source.
    public init(
        name: String, files: [String] = [], format: SourceFormat = SourceFormat(),
        settings: ConversionSettings = ConversionSettings(), filter: RecordFilter? = nil, objects: [ObjectMapping]
    ) {
        self.name = name
        self.files = files
        self.format = format
        self.settings = settings
        self.filter = filter
        self.objects = objects
    }
}
