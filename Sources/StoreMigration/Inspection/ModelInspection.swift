import ManagedObjectModels
import PersistentStores

/// The versions of a model, their entities and hashes.
public struct ModelInspection: Sendable, Codable {
    /// An entity of a version.
    public struct Entity: Sendable, Codable {
        /// The entity's name.
        public let name: String
        /// The name in the selected language; nil if there is none.
        public let localizedName: String?
        /// The number that stores of the version give to the entity.
        public let number: Int
        /// The name of the superentity; nil if there is none.
        public let parent: String?
        /// Whether only its subentities can have objects.
        public let isAbstract: Bool
        /// The number of attributes, including inherited ones.
        public let attributes: Int
        /// The number of relationships, including inherited ones.
        public let relationships: Int
        /// The entity's version hash, 64 hexadecimal digits.
        public let versionHash: String
        /// The reason why the hash is not certain; nil if it is.
        public let doubt: String?
    }

    /// A version of the model.
    public struct Version: Sendable, Codable {
        /// The version's name, with the name of its bundle if there is one.
        public let name: String
        /// The path of the version.
        public let path: String
        /// Whether it is the current version, which new stores get.
        public let isCurrent: Bool
        /// The identifiers that the model's developer has given to the version.
        public let identifiers: [String]
        /// `NSStoreModelVersionHashesDigest`; empty if the version cannot be used.
        public let digest: String
        /// `NSStoreModelVersionChecksumKey`; empty if the version cannot be used.
        public let checksum: String
        /// The entities, in the order in which Core Data numbers them.
        public let entities: [Entity]
        /// Warnings about parts of the version's document that were not understood.
        public let warnings: [String]
        /// The reason why the version cannot be used; nil if it can.
        public let error: String?
    }

    /// A stage of a migration plan in Swift sources.
    public struct Stage: Sendable, Codable {
        /// The name of the version at which the stage begins.
        public let from: String
        /// The name of the version at which the stage ends.
        public let to: String
        /// `lightweight` or `custom`; custom stages are code of the app.
        public let kind: String
    }

    /// The versions, in the order of the catalog.
    public let versions: [Version]

    /// The stages; empty without a migration plan.
    public let stages: [Stage]

    /// Reads all versions of a catalog; versions that cannot be read are listed with the reason.
    ///
    /// - Parameters:
    ///   - catalog: the available versions.
    ///   - language: the language of localized names; nil for the development language.
    public init(_ catalog: VersionCatalog, language: String? = nil) {
        stages = Set(catalog.versions.compactMap(\.bundle)).flatMap(\.stages).map {
            Stage(from: $0.from, to: $0.to, kind: $0.isCustom ? "custom" : "lightweight")
        }
        versions = catalog.versions.map { version in
            defer { catalog.forget(version) }
            do throws(ModelError) {
                let loaded = try catalog.versionedModel(version)
                return Version(
                    name: version.name, path: version.path, isCurrent: version.isCurrent,
                    identifiers: loaded.model.model.versionIdentifiers, digest: loaded.digest,
                    checksum: loaded.checksum,
                    entities: Self.entities(loaded, try catalog.localization(of: version.path, language: language)),
                    warnings: try version.document().warnings.map(\.description), error: nil)
            } catch {
                return Version(
                    name: version.name, path: version.path, isCurrent: version.isCurrent, identifiers: [], digest: "",
                    checksum: "", entities: [], warnings: [], error: error.description)
            }
        }
    }

    private static func entities(_ version: VersionedModel, _ texts: LocalizationDictionary?) -> [Entity] {
        version.model.entities.map { entity in
            Entity(
                name: entity.name, localizedName: texts?.otherName(ofEntity: entity.name), number: entity.number,
                parent: entity.superentity.map { version.model.entities[$0].name },
                isAbstract: entity.isAbstract, attributes: entity.attributes.count,
                relationships: entity.relationships.count,
                versionHash: version.hashes[entity.name].flatMap { VersionHash(bytes: $0) }?.hex ?? "",
                doubt: version.unprovenHashes[entity.name])
        }
    }

    /// Whether a version cannot be read.
    public var hasErrors: Bool { versions.contains { $0.error != nil } }
}

extension ModelInspection: CustomStringConvertible {
    /// The inspection for users.
    public var description: String {
        let plan = stages.map { stage in
            "  \(stage.from) -> \(stage.to)  \(stage.kind)"
                + (stage.kind == "custom" ? ", code of the app that is not run here" : "") + "\n"
        }
        return versions.map(Self.text).joined() + (plan.isEmpty ? "" : "Migration plan\n" + plan.joined())
    }

    private static func text(_ version: Version) -> String {
        var lines = ["Version \(version.name)\(version.isCurrent ? ", current" : "") (\(version.path))"]
        if let error = version.error { return lines[0] + "\n  error: \(error)\n" }
        let identifiers = version.identifiers.filter { !$0.isEmpty }
        if !identifiers.isEmpty { lines.append("  identifiers  \(identifiers.joined(separator: ", "))") }
        lines.append("  digest       \(version.digest)")
        lines.append("  checksum     \(version.checksum)")
        var columns = TextColumns(rightAligned: [0, 2, 3])
        columns.add("no.", "entity", "attributes", "relationships", "version hash")
        for entity in version.entities {
            let name =
                ModelOutline.called(entity.name, entity.localizedName) + (entity.isAbstract ? " (abstract)" : "")
                + (entity.parent.map { ": \($0)" } ?? "")
            columns.add(
                String(entity.number), name, String(entity.attributes), String(entity.relationships),
                entity.versionHash + (entity.doubt.map { " uncertain: \($0)" } ?? ""))
        }
        lines += columns.lines()
        lines += version.warnings.map { "  warning: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
