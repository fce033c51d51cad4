public import MappingModels
import PersistentStores

/// The steps from one version of a model to another.
public struct MigrationChain: Sendable {
    /// A step from one version to another one.
    public struct Step: Sendable {
        /// The version that the step begins with.
        public let source: VersionedModel
        /// The version that the step ends with.
        public let destination: VersionedModel

        /// The mapping model that the step follows; nil if it is inferred.
        public let mapping: MappingModelDocument?

        /// Why the chain goes this way.
        public let reason: String

        /// What is done to the objects of the source version before the step, and to those of the destination behind
        /// it.
        public var before: [StoreEdit] = []
        /// What is done to the objects of the destination version behind the step.
        public var after: [StoreEdit] = []

        /// Makes a step without edits.
        public init(
            source: VersionedModel, destination: VersionedModel, mapping: MappingModelDocument?, reason: String
        ) {
            self.source = source
            self.destination = destination
            self.mapping = mapping
            self.reason = reason
        }

        /// How the step goes: by a mapping model, or by inference.
        public var way: String { mapping.map { "mapping model \($0.shortName)" } ?? "inference" }
    }

    /// The steps of the chain, at least one.
    public let steps: [Step]

    /// What is worth knowing of the way that was chosen.
    public let findings: [MigrationFinding]

    /// Makes a chain of at least one step.
    public init(steps: [Step], findings: [MigrationFinding] = []) {
        self.steps = steps
        self.findings = findings
    }
}

/// Whether a migration goes over versions in between.
public enum ChainMode: String, Codable, Sendable, CaseIterable {
    /// By the mapping models on the way; without any in one inferred step, as `NSPersistentContainer` does.
    case auto
    /// In one step.
    case direct
    /// By the mapping models on the way, and by inference from version to version.
    case versions
}

extension MappingModelDocument {
    /// The file's name, or its folder's in Xcode's form.
    var shortName: String {
        // Passes have the names of all their files.
        name.split(separator: ", ").map(String.init).map { name in
            FileSystem.name(of: name.hasSuffix("/xcmapping.xml") ? FileSystem.directory(of: name) : name)
        }.joined(separator: ", ")
    }
}
