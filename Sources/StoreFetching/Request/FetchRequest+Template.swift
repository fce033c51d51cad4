public import ManagedObjectModels
public import PredicateExpressions

extension FetchRequest {
    /// Makes a request from a template of a model, with values for the variables of its predicate.
    /// - Throws: `FetchError` for a variable without a value and for a value without a variable, and `FormatError` for
    ///   a predicate that cannot be parsed.
    public init(template: FetchRequestTemplate, variables: [String: ConstantValue] = [:]) throws {
        self.init(entityName: template.entityName)
        predicate = try template.predicateFormat.map { try Predicate(format: $0) }
        let wanted = predicate.map { VariableNames(of: $0).names } ?? []
        for name in wanted where variables[name] == nil {
            throw FetchError(.variableMissing(name, template: template.name))
        }
        for name in variables.keys.sorted() where !wanted.contains(name) {
            throw FetchError(.variableUnknown(name, template: template.name, known: wanted))
        }
        self.variables = variables
        sortDescriptors = template.sortDescriptors
        fetchLimit = template.fetchLimit
        fetchOffset = template.fetchOffset
        includesSubentities = template.includesSubentities
        returnsDistinctResults = template.returnsDistinctResults
        relationshipKeyPathsForPrefetching = template.relationshipKeyPathsForPrefetching
        resultType =
            switch template.resultType {
            case 1: .objectIDs
            case 2: .dictionaries
            case 4: .count
            default: .objects
            }
    }
}
