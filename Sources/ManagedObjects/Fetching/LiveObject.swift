import ManagedObjectModels
import PersistentStores
import PredicateExpressions

/// An object of a context for which an expression is evaluated, including its unsaved changes.
struct LiveObject: EvaluationContext {
    /// The keys of the objects that the evaluation has encountered.
    final class References {
        var keys: [ObjectReference: ObjectKey] = [:]
    }

    let context: ManagedObjectContext
    let names: [String]
    let object: ManagedObject
    let references: References
    let now: Double

    init(_ object: ManagedObject, in context: ManagedObjectContext, names: [String], now: Double) {
        self.context = context
        self.object = object
        self.names = names
        self.now = now
        references = References()
    }

    func value(at slot: Int) throws -> ExpressionValue {
        names[slot].isEmpty ? .object(reference(object.key)) : try value(names[slot], of: object)
    }

    func value(at slot: Int, of reference: ObjectReference) throws -> ExpressionValue {
        let known = references.keys[reference]
        let entity = context.model.shape(of: reference.entity).root
        let key =
            known
            ?? ObjectKey(table: reference.entity, entity: Int32(truncatingIfNeeded: entity), key: reference.key)
        return try value(names[slot], of: context.object(key))
    }

    /// Returns an empty collection if a path ends before its to-many relationship, as in SQL.
    func absentValue(at slot: Int) -> ExpressionValue {
        context.model.resolved.isToManyEverywhere(names[slot]) ? .array([]) : .null
    }

    private func value(_ name: String, of object: ManagedObject) throws -> ExpressionValue {
        do {
            switch object.shape.slot(named: name) {
            case .attribute(let slot): return ExpressionValue(try object.currentValue(slot))
            case .toOne(let slot): return try object.toOneKey(slot).map { .object(reference($0)) } ?? .null
            case .toMany(let slot): return .array(try context.links(of: object, slot).map { .object(reference($0)) })
            case .fetched, nil: return .null
            }
        } catch let error as ManagedObjectError {
            // As in SQL, a missing object has no values.
            guard case .objectNotFound = error.code else { throw error }
            return .null
        }
    }

    private func reference(_ key: ObjectKey) -> ObjectReference {
        let reference = ObjectReference(entity: key.table, key: key.key)
        references.keys[reference] = key
        return reference
    }
}
