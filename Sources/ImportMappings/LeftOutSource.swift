package import ManagedObjectModels
package import RecordSources

/// A source that a draft leaves out, because no names in the model are similar to those in it.
public struct LeftOutSource: Equatable, Sendable {
    /// A description of the source, and the reason why it is left out.
    public let reason: String
    /// A first version of its mapping, with names of columns in place of attributes; nil if nothing can be read.
    public let mapping: SourceMapping?

    /// The attributes of a possible entity, for completing the mapping; nil if there is none.
    let attributes: String?

    /// The placeholder for an unknown entity.
    static let unknownEntity = "ENTITY"

    package init(_ reason: String, mapping: SourceMapping? = nil) {
        self.reason = reason
        self.mapping = mapping
        attributes = nil
    }

    /// Makes a source that is left out, with a first version of its mapping.
    ///
    /// - Parameters:
    ///   - entity: the entity of its records, if specified; nil if unknown.
    ///   - candidate: the possible entity, whose attributes are listed.
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

    /// The maximum number of fields: enough to show the contents of the records.
    private static let largestFieldCount = 40
}
