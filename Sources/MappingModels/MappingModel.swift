/// How the objects of one model version become those of another: one entity mapping per step, in the order of the run.
///
/// A plain value, inferred from two models, or read from a mapping file; it never opens a store. Expressions and
/// predicates are text in the predicate format language.
public struct MappingModel: Sendable, Hashable {
    /// The entity mappings, in the order in which a migration runs them.
    public var entityMappings: [EntityMapping]

    /// The path of the source model from the project's folder, as Xcode's editor keeps it; nil if none is kept.
    public var sourceModelPath: String?

    /// The path of the destination model from the project's folder, as Xcode's editor keeps it; nil if none is kept.
    public var destinationModelPath: String?

    /// Copies of the two models that Xcode's editor keeps in its file and makes again from the paths; no other form
    /// holds them.
    public var editorModels: EditorModels?

    /// Keyed archives of classes of Xcode's editor.
    public struct EditorModels: Sendable, Hashable {
        /// The copy of the source model; nil if there is none.
        public var source: [UInt8]?
        /// The copy of the destination model; nil if there is none.
        public var destination: [UInt8]?

        /// Makes the copies of two models.
        public init(source: [UInt8]?, destination: [UInt8]?) {
            self.source = source
            self.destination = destination
        }
    }

    /// Makes a mapping model of entity mappings, in the order of the run.
    public init(
        entityMappings: [EntityMapping] = [], sourceModelPath: String? = nil, destinationModelPath: String? = nil,
        editorModels: EditorModels? = nil
    ) {
        self.entityMappings = entityMappings
        self.editorModels = editorModels
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
    }

    /// The entity mapping of that name; nil if there is none. A linear search.
    public func entityMapping(named name: String) -> EntityMapping? {
        entityMappings.first { $0.name == name }
    }

    /// The first property whose expression is left to the compiler; nil if everything is spelled out.
    public var firstGeneratedProperty: MappingModelPlace? {
        for mapping in entityMappings {
            for property in mapping.attributeMappings + mapping.relationshipMappings
            where property.valueExpression == nil && property.isExpressionGenerated == true {
                return MappingModelPlace(entityMapping: mapping.name, property: property.name)
            }
        }
        return nil
    }
}
