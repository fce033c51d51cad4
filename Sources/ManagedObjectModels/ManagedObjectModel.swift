/// One version of a managed object model: entities, composites, configurations and fetch request templates.
///
/// A plain value that never opens a store. Entities name each other; `ResolvedModel` turns the names into slots.
/// What a source document says beyond the model (canvas layout, tool versions) is kept by `ModelDocument`.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, sorted by name, so that models read from different forms compare equal.
    public var entities: [EntityDescription] {
        didSet { entities.sort { $0.name < $1.name } }
    }

    /// Composite attribute types, which attributes of type `.composite` name.
    public var composites: [CompositeDescription]

    /// Named subsets of the entities.
    public var configurations: [ConfigurationDescription]

    /// Fetch requests that an app asks for by name.
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

    /// The entity of that name, or nil. A linear search: resolve the model before looking up often.
    public func entity(named name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}
