/// One version of a managed object model: entities, composites, configurations and fetch request templates.
///
/// A plain value, independent of any store. Entities refer to each other by name; `ResolvedModel` turns the names into
/// slots. The other contents of a source document (canvas layout, tool versions) are kept by `ModelDocument`.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, sorted by name, so that models read from different forms compare equal.
    public var entities: [EntityDescription] {
        didSet { entities.sort { $0.name < $1.name } }
    }

    /// Composite attribute types, to which attributes of type `.composite` refer by name.
    public var composites: [CompositeDescription]

    /// Named subsets of the entities.
    public var configurations: [ConfigurationDescription]

    /// The fetch requests that an app can look up by name.
    public var fetchRequestTemplates: [FetchRequestTemplate]

    /// The model version identifiers that a developer set; often empty or one empty string.
    public var versionIdentifiers: [String]

    /// Makes a model, and sorts its entities by name.
    public init(
        entities: [EntityDescription] = [], composites: [CompositeDescription] = [],
        configurations: [ConfigurationDescription] = [], fetchRequestTemplates: [FetchRequestTemplate] = [],
        versionIdentifiers: [String] = []
    ) {
        self.entities = entities.sorted { $0.name < $1.name }
        self.composites = composites
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.versionIdentifiers = versionIdentifiers
    }

    /// Returns the entity with a name; nil if there is none. A linear search: resolve the model before frequent
    /// lookups.
    public func entity(named name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}
