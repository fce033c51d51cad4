package import ManagedObjectModels
package import RecordSources

/// A source that a draft leaves out, since nothing of the model is called as what is in it.
public struct LeftOutSource: Equatable, Sendable {
    /// What it is, and why it is left out.
    public let reason: String
    /// What its mapping may begin with: names of columns stand for those of attributes. nil if nothing can be read.
    public let mapping: SourceMapping?

    /// The attributes of the entity that it may be of, for somebody who completes the mapping; nil if none is known.
    let attributes: String?

    /// In place of an entity that is not known.
    static let unknownEntity = "ENTITY"

    package init(_ reason: String, mapping: SourceMapping? = nil) {
        self.reason = reason
        self.mapping = mapping
        attributes = nil
    }

    /// A source that is left out with a mapping to go on with.
    ///
    /// - Parameters:
    ///   - entity: what its records are, where somebody has said so; nil if it is not known.
    ///   - candidate: the entity whose attributes are named.
    package init(
        _ reason: String, _ sample: SourceSample, files: [String], entity: ResolvedEntity?,
        candidate: ResolvedEntity?
    ) {
        let fields = sample.records.fields.prefix(Self.largestFieldCount)
        mapping = SourceMapping(
            name: files.first ?? sample.format.table ?? sample.title, files: files, format: sample.format,
            objects: [
                ObjectMapping(
                    entity: entity?.name ?? Self.unknownEntity,
                    attributes: fields.map { AttributeMapping(attribute: $0.name, value: .column($0.path)) })
            ])
        self.reason = reason
        attributes = (entity ?? candidate).map { entity in
            let names = entity.attributes.filter(\.isStored).prefix(Self.largestFieldCount).map { attribute in
                "\(attribute.name) (\(attribute.type.name)\(attribute.isOptional ? "" : ", required"))"
            }
            return "Attributes of \(entity.name): " + names.joined(separator: ", ")
        }
    }

    /// Enough to show what the records are.
    private static let largestFieldCount = 40
}
