public import RecordConversion
public import RecordSources

/// A mapping of the records of one kind of source to objects.
public struct SourceMapping: Hashable, Sendable, Codable {
    /// The name for messages.
    public var name: String

    /// The patterns of its files: the last part of a path, with `*` for any characters; empty for any file.
    public var files: [String]

    /// The format of the files, and how they are read.
    public var format: SourceFormat

    /// The settings for all values of the source, which an attribute may override.
    public var settings: ConversionSettings

    /// The condition on records that become objects; others are skipped. nil for all.
    public var filter: RecordFilter?

    /// The objects that are made from one record; the first is the record's own, and all may refer to each other.
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
