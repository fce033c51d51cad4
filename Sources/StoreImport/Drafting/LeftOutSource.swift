/// A source that a draft leaves out, since nothing of the model is called as what is in it.
public struct LeftOutSource: Equatable, Sendable {
    /// What it is, and why it is left out.
    public let reason: String
    /// What its mapping may begin with: names of columns stand for those of attributes. nil if nothing can be read.
    public let mapping: SourceMapping?

    /// In place of an entity that is not known.
    static let unknownEntity = "ENTITY"

    init(_ reason: String, mapping: SourceMapping? = nil) {
        self.reason = reason
        self.mapping = mapping
    }

    /// A source that is left out with a mapping to go on with.
    init(_ reason: String, _ sample: SourceSample, files: [String], entity: String = unknownEntity) {
        let fields = sample.records.fields.prefix(Self.largestFieldCount)
        mapping = SourceMapping(
            name: files.first ?? sample.format.table ?? sample.title, files: files, format: sample.format,
            objects: [
                ObjectMapping(
                    entity: entity,
                    attributes: fields.map { AttributeMapping(attribute: $0.name, value: .column($0.path)) })
            ])
        self.reason = reason
    }

    /// Enough to show what the records are.
    private static let largestFieldCount = 40
}
