/// A mapping of the objects of one model version to those of another: one entity mapping per step, in the order of
/// execution.
///
/// A plain value, inferred from two models or read from a mapping file, independent of any store. Expressions and
/// predicates are text in the predicate format language.
public struct MappingModel: Sendable, Hashable {
    /// The entity mappings, in the order in which a migration runs them.
    public var entityMappings: [EntityMapping]

    /// The path of the source model relative to the project's folder, kept by Xcode's editor; nil if none is kept.
    public var sourceModelPath: String?

    /// The path of the destination model relative to the project's folder, kept by Xcode's editor; nil if none is kept.
    public var destinationModelPath: String?

    /// Copies of the two models that Xcode's editor keeps in its file and recreates from the paths; other forms do not
    /// have them.
    public var editorModels: EditorModels?

    /// Copies of two models, as keyed archives of classes of Xcode's editor.
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

    /// Makes a mapping model from entity mappings, in the order of execution.
    public init(
        entityMappings: [EntityMapping] = [], sourceModelPath: String? = nil, destinationModelPath: String? = nil,
        editorModels: EditorModels? = nil
    ) {
        self.entityMappings = entityMappings
        self.editorModels = editorModels
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
    }

    /// Returns the entity mapping with a name; nil if there is none. A linear search.
    public func entityMapping(named name: String) -> EntityMapping? {
        entityMappings.first { $0.name == name }
    }

    /// The first property whose expression is left to the compiler; nil if all expressions are given.
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
