public import RecordConversion

/// A mapping of the records of some sources to objects of a store: the content of an import mapping file.
///
/// A plain value; `ImportPlan` checks it against a model and the sources.
public struct ImportMapping: Hashable, Sendable, Codable {
    /// The settings for the values of all sources, which a source or an attribute may override.
    public var settings: ConversionSettings

    /// The sources in the order in which they are read.
    public var sources: [SourceMapping]

    /// Makes a mapping from sources, in the order in which they are read.
    public init(settings: ConversionSettings = ConversionSettings(), sources: [SourceMapping]) {
        self.settings = settings
        self.sources = sources
    }
}
