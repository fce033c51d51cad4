import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import StoreFetching
public import ValueTransformers

extension EditStep {
    /// Checks that the step is valid for a model version, without reading a store.
    ///
    /// - Parameters:
    ///   - layout: the layout of a store of the version.
    ///   - transformers: the value transformers for values in JSON, which are converted.
    /// - Throws: `EditError` for an unknown name, or an invalid step.
    public func check(
        against layout: StoreLayout, transformers: ValueTransformerRegistry = ValueTransformerRegistry()
    ) throws(EditError) {
        try transformed(by: transformers, in: layout.model).checkNames(layout)
    }

    private func checkNames(_ layout: StoreLayout) throws(EditError) {
        guard let entity = layout.model.entity(named: entityName), layout.table(ofEntity: entity.slot) != nil else {
            throw EditError(self, "the store has no entity \(entityName)")
        }
        switch self {
        case .update(_, let filter, let values):
            try check(filter, on: entity, layout)
            guard !values.isEmpty else { throw EditError(self, "it sets no attribute") }
            try check(values, of: entity, layout)
        case .delete(_, let filter, _): try check(filter, on: entity, layout)
        case .insert(_, let values, let links):
            try check(values, of: entity, layout)
            for link in links {
                let relationship = try relationship(link.relationship, of: entity)
                try check(link.destinations, on: layout.model.entities[relationship.destination], layout)
            }
        case .relate(_, let name, let filter, let to): try check(name, filter, to, of: entity, layout)
        case .unrelate(_, let name, let filter, let to): try check(name, filter, to, of: entity, layout)
        }
    }

    private func check(
        _ name: String, _ filter: String, _ to: String?, of entity: ResolvedEntity, _ layout: StoreLayout
    ) throws(EditError) {
        let relationship = try relationship(name, of: entity)
        try check(filter, on: entity, layout)
        if let to { try check(to, on: layout.model.entities[relationship.destination], layout) }
    }

    private func check(_ filter: String, on entity: ResolvedEntity, _ layout: StoreLayout) throws(EditError) {
        do {
            _ = try FetchCompiler.plan(
                objects(of: entity, filter), layout: layout, storeUUID: "", now: 0)
        } catch {
            throw EditError(self, "the predicate cannot be run: \(error)")
        }
    }

    private func check(
        _ values: [EditAssignment], of entity: ResolvedEntity, _ layout: StoreLayout
    ) throws(EditError) {
        let expressions = EditExpressions(layout, storeUUID: "", now: 0)
        do {
            for value in values {
                let attribute = try expressions.attribute(value.attribute, of: entity, self)
                _ = try expressions.value(value, of: attribute, entity, self)
            }
        } catch let error as EditError {
            throw error
        } catch {
            throw EditError(self, "\(error)")
        }
    }

    /// Returns the request for the keys of the objects that satisfy a predicate.
    func objects(of entity: ResolvedEntity, _ filter: String) throws -> FetchRequest {
        var request = FetchRequest(entityName: entity.name, predicate: try Predicate(format: filter))
        request.resultType = .objectIDs
        request.includesPrimaryKey = true
        return request
    }

    func relationship(_ name: String, of entity: ResolvedEntity) throws(EditError) -> ResolvedRelationship {
        guard let relationship = entity.relationship(named: name), relationship.isStored else {
            throw EditError(self, "\(entity.name) has no stored relationship \(name)")
        }
        return relationship
    }
}
