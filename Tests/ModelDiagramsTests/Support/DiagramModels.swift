import Foundation
import ManagedObjectModels
import TestSupport

/// Models to draw: the samples, some real ones of very different sizes, and one with hostile names.
enum DiagramModels {
    static func sample(_ name: String, _ version: String? = nil) throws -> ResolvedModel {
        let versions = try ModelVersions(path: Samples.models(name))
        return try ResolvedModel(try (version.map { try versions.version($0) } ?? versions.current()).model())
    }

    /// Bundles of the corpus, from a handful of entities to the largest.
    static let bundles = [
        "OEDatabase", "MeshtasticDataModel", "Meshtastic", "ThreemaData", "WordPress", "WooCommerce", "zmessaging",
    ]

    /// The first bundle of that name in the corpus; nil if there is none.
    static func corpus(_ name: String) throws -> ModelVersions? {
        let marker = "/\(name).xcdatamodeld/.xccurrentversion"
        let file = Corpus.files(under: "1_models") { $0 == ".xccurrentversion" }
            .first { $0.hasSuffix(marker) && !$0.contains("HISTORY") }
        return try file.map { try ModelVersions(path: ($0 as NSString).deletingLastPathComponent) }
    }

    /// Names that mean something to XML, HTML, Mermaid or DOT, or are long.
    static func hostile() throws -> ResolvedModel {
        let long = String(repeating: "Supercalifragilistic", count: 6)
        return try ResolvedModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    name: "<A & \"B\">", managedObjectClassName: "C<D>",
                    attributes: [
                        AttributeDescription(name: "x'<y>&", type: .string),
                        AttributeDescription(name: "{|}[]\\", type: .date),
                        AttributeDescription(name: long, type: .transformable, isOptional: true),
                        AttributeDescription(name: "名前は長い", type: .string),
                    ],
                    relationships: [
                        RelationshipDescription(name: "-->;\n", destinationEntityName: "#b", inverseName: "to\"]"),
                        RelationshipDescription(
                            name: "self", destinationEntityName: "<A & \"B\">", inverseName: "self"),
                    ]),
                EntityDescription(
                    name: "#b", isAbstract: true,
                    relationships: [
                        RelationshipDescription(
                            name: "to\"]", destinationEntityName: "<A & \"B\">", inverseName: "-->;\n", isToMany: true)
                    ]),
                EntityDescription(name: long, superentityName: "#b"),
            ]))
    }

    /// The number of relationships, each with its inverse as one, counted by names.
    static func relationshipCount(_ model: ResolvedModel) -> Int {
        var pairs: Set<Set<String>> = []
        for entity in model.entities {
            for relationship in entity.declaredRelationships {
                let own = "\(entity.name)\n\(relationship.name)"
                let other = relationship.inverse.flatMap { place -> String? in
                    let owner = model.entities[place.owner]
                    guard let inverse = owner.relationship(named: place.name), let back = inverse.inverse,
                        back.owner == entity.slot, back.name == relationship.name
                    else { return nil }
                    return "\(owner.name)\n\(place.name)"
                }
                pairs.insert([own, other ?? own])
            }
        }
        return pairs.count
    }
}
