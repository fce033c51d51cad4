public import RecordConversion

/// How the records of some sources become objects of a store: what an import mapping file says.
///
/// A plain value; `ImportPlan` checks it against a model and the sources.
public struct ImportMapping: Hashable, Sendable, Codable {
    /// What holds for the values of all sources, unless a source or an attribute says otherwise.
    public var settings: ConversionSettings

    /// The sources in the order in which they are read.
    public var sources: [SourceMapping]

    /// Makes a mapping of sources in the order in which they are read.
    public init(settings: ConversionSettings = ConversionSettings(), sources: [SourceMapping]) {
        self.settings = settings
        self.sources = sources
    }
}
