import KeyedArchives
public import ManagedObjectModels
public import PersistentStores
public import PredicateExpressions
import StoreFetching

extension ManagedObject {
    /// Returns whether a predicate holds for the object in its context, including unsaved changes.
    ///
    /// - Parameters:
    ///   - predicate: a predicate over the object's entity.
    ///   - variables: the values of the predicate's variables, by their names.
    /// - Throws: `ManagedObjectError` for an unknown property name; `FetchError` or `EvaluationError` for an invalid
    ///   predicate; `StoreError` if the store cannot be read.
    public final func satisfies(_ predicate: Predicate, variables: [String: ConstantValue] = [:]) throws -> Bool {
        try ObjectMatching(predicate.substituting(variables), shape, in: requiredContext()).holds(for: self)
    }

    /// Returns the value of an expression over the object in its context, such as `employees.@max.salary`; nil for
    /// none.
    ///
    /// Objects are returned as IDs, several values as a list.
    /// - Throws: `ManagedObjectError` for an unknown property name; `EvaluationError` for an invalid expression;
    ///   `StoreError` if the store cannot be read.
    public final func value(of expression: Expression) throws -> DictionaryValue? {
        let context = try requiredContext()
        var names = LiveNames(context.coordinator, shape)
        let program = try expression.namingObjects(in: context.model.resolved).compile(resolving: &names)
        let live = LiveObject(self, in: context, names: names.names, now: ReferenceDate.now)
        return live.result(try program.evaluate(in: live))
    }

    /// Returns the value at the end of a path, which may lead through relationships: `department.name`; nil for none.
    ///
    /// For a path through a to-many relationship, this is a list of all values that are not nil. The last name may be
    /// an operator: `employees.@count`.
    /// - Throws: as `value(of:)`.
    public final func value(forKeyPath path: String) throws -> DictionaryValue? { try value(of: .keyPath(path)) }
}

extension LiveObject {
    /// Returns an evaluated value in the form for programs.
    fileprivate func result(_ value: ExpressionValue) -> DictionaryValue? {
        switch value {
        case .null, .host: return nil
        case .boolean(let flag): return .attribute(.boolean(flag))
        case .integer(let number): return .attribute(.integer(number))
        case .real(let number): return .attribute(.real(number))
        case .decimal(let number): return .attribute(.decimal(number.description))
        case .string(let text), .className(let text): return .attribute(.string(text))
        case .date(let seconds): return .attribute(.date(seconds))
        case .data(let bytes): return .attribute(.binary(bytes))
        case .uuid(let bytes): return .attribute(.uuid(bytes))
        case .url(let text): return .attribute(.uri(text))
        case .object(let reference):
            return references.keys[reference].map { .objectID(context.object($0).objectID) }
        case .array(let values), .set(let values): return .list(values.compactMap { result($0) })
        }
    }
}

extension ManagedObjectContext {
    /// Returns the objects that satisfy a predicate with their values in the context, in their order; no store is
    /// queried.
    ///
    /// - Parameters:
    ///   - objects: objects of the context, of any entities.
    ///   - predicate: a predicate over the entities of all of them.
    ///   - variables: the values of the predicate's variables, by their names.
    /// - Throws: as `ManagedObject.satisfies(_:variables:)`.
    public func filter<Object: ManagedObject>(
        _ objects: [Object], by predicate: Predicate, variables: [String: ConstantValue] = [:]
    ) throws -> [Object] {
        let predicate = predicate.substituting(variables)
        var known: [ObjectIdentifier: ObjectMatching] = [:]
        return try objects.filter { object in
            try check(object)
            let id = ObjectIdentifier(object.shape)
            let matching = try known[id] ?? ObjectMatching(predicate, object.shape, in: self)
            known[id] = matching
            return try matching.holds(for: object)
        }
    }

    /// Returns the objects sorted by their values in the context; the sort is stable.
    ///
    /// - Parameters:
    ///   - objects: objects of the context, of any entities.
    ///   - descriptors: the sort keys, the first one first.
    /// - Throws: `ManagedObjectError` for an unknown property name; `FetchError` for an unknown comparison method;
    ///   `StoreError` if the store cannot be read.
    public func sort<Object: ManagedObject>(
        _ objects: [Object], by descriptors: [FetchSortDescriptor]
    ) throws -> [Object] {
        var known: [ObjectIdentifier: ObjectSorting] = [:]
        let keyed = try objects.enumerated().map { place, object in
            try check(object)
            let id = ObjectIdentifier(object.shape)
            let sorting = try known[id] ?? ObjectSorting(descriptors, object.shape, in: self)
            known[id] = sorting
            return (object: object, keys: try sorting.keys(of: object), place: place)
        }
        guard let sorting = known.values.first else { return objects }
        return keyed.sorted { left, right in
            let order = sorting.order(left.keys, right.keys)
            return order == 0 ? left.place < right.place : order < 0
        }.map(\.object)
    }
}

extension ConstantValue {
    /// Returns an object as the value of a placeholder or a variable: `SELF = %@`, `department = $department`.
    public static func objectID(_ id: ManagedObjectID) -> ConstantValue { .string(id.uri) }

    /// Returns objects as the value of a placeholder or a variable: `SELF IN %@`.
    public static func objectIDs(_ ids: some Sequence<ManagedObjectID>) -> ConstantValue {
        .array(ids.map { .objectID($0) })
    }
}
