import ImportTestSupport
import Testing

@testable import ImportMappings
@testable import MappingDrafting
@testable import RecordSources
@testable import StoreImport

/// A model and sources to draft a mapping for, which is then read, reviewed and run.
struct DraftFixture {
    let fixture: ImportFixture

    init(_ entities: String) throws {
        fixture = try ImportFixture(entities: entities)
    }

    /// An entity of string attributes; each may have a type behind a colon.
    static func entity(_ name: String, _ attributes: String..., more: String = "") -> String {
        let list = attributes.map { attribute in
            let parts = attribute.split(separator: ":").map(String.init)
            return
                "<attribute name='\(parts[0])' optional='YES' attributeType='\(parts.count > 1 ? parts[1] : "String")'/>"
        }
        return "<entity name='\(name)'>\(list.joined())\(more)</entity>"
    }

    static func unique(_ attribute: String) -> String {
        "<uniquenessConstraints><uniquenessConstraint><constraint value='\(attribute)'/></uniquenessConstraint></uniquenessConstraints>"
    }

    /// Drafts, and reads what was drafted.
    func draft(
        _ sources: [String], entity: String? = nil, limits: DraftLimits = DraftLimits()
    ) throws -> (yaml: String, mapping: ImportMapping) {
        let drafter = try MappingDrafter(model: fixture.model, entity: entity, basis: .sample, limits: limits)
        let draft = try drafter.draft(of: sources)
        let document = try ImportMappingReader.read(bytes: Array(draft.yaml.utf8), name: "draft.yaml")
        #expect(document.mapping == draft.mapping, "\(draft.yaml)")
        _ = try document.review(for: fixture.model)
        return (draft.yaml, document.mapping)
    }

    /// Drafts, and imports with the draft as it stands.
    func run(_ sources: [String], entity: String? = nil) throws -> ImportReport {
        try fixture.run(sources, .mapping(draft(sources, entity: entity).mapping))
    }
}
