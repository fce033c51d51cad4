public import MappingModels
import PersistentStores

/// The steps from one version of a model to another.
public struct MigrationChain: Sendable {
    /// A step from one version to another.
    public struct Step: Sendable {
        /// The version that the step begins with.
        public let source: VersionedModel
        /// The version that the step ends with.
        public let destination: VersionedModel

        /// The mapping model of the step; nil if it is inferred.
        public let mapping: MappingModelDocument?

        /// The reason for this step.
        public let reason: String

        /// The edits of the objects of the source version before the step.
        public var before: [StoreEdit] = []
        /// The edits of the objects of the destination version after the step.
        public var after: [StoreEdit] = []

        /// Creates a step without edits.
        public init(
            source: VersionedModel, destination: VersionedModel, mapping: MappingModelDocument?, reason: String
        ) {
            self.source = source
            self.destination = destination
            self.mapping = mapping
            self.reason = reason
        }

        /// The kind of step: a mapping model, or inference.
        public var way: String { mapping.map { "mapping model \($0.shortName)" } ?? "inference" }
    }

    /// The steps of the chain, at least one.
    public let steps: [Step]

    /// Findings about the chosen way.
    public let findings: [MigrationFinding]

    /// Creates a chain of at least one step.
    public init(steps: [Step], findings: [MigrationFinding] = []) {
        self.steps = steps
        self.findings = findings
    }
}

/// Whether a migration may lead over intermediate versions.
public enum ChainMode: String, Codable, Sendable, CaseIterable {
    /// Over the mapping models on the way; without mapping models, in one inferred step, as in `NSPersistentContainer`.
    case auto
    /// In one step.
    case direct
    /// Over the mapping models on the way, and by inference from version to version.
    case versions
}

extension MappingModelDocument {
    /// The name of the file, or of the folder that contains it in Xcode's form.
    var shortName: String {
        // Passes have the names of all of their files.
        name.split(separator: ", ").map(String.init).map { name in
            FileSystem.name(of: name.hasSuffix("/xcmapping.xml") ? FileSystem.directory(of: name) : name)
        }.joined(separator: ", ")
    }
}
