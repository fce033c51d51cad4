/// How the records of some sources become objects of a store: what an import mapping file says.
///
/// A plain value; `ImportPlan` checks it against a model and the sources.
public struct ImportMapping: Equatable, Sendable {
    /// The sources in the order in which they are read.
    public var sources: [SourceMapping]

    public init(sources: [SourceMapping]) {
        self.sources = sources
    }
}
