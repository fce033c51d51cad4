import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching

/// The sort order of a request, applied to objects with their values in a context.
struct ObjectSorting {
    private let programs: [(program: ExpressionProgram, order: SortOrder, isAscending: Bool)]
    private let names: [String]
    private let context: ManagedObjectContext
    private let now: Double

    init(_ descriptors: [FetchSortDescriptor], _ shape: EntityShape, in context: ManagedObjectContext) throws {
        self.context = context
        now = ReferenceDate.now
        var names = LiveNames(context.coordinator, shape)
        programs = try descriptors.map { descriptor in
            guard let order = SortOrder(selector: descriptor.selectorName) else {
                throw FetchError(
                    .sortSelectorUnsupported(descriptor.selectorName ?? "", known: SQLSortKey.selectors))
            }
            return (
                try Expression.keyPath(descriptor.keyPath).namingObjects(in: context.model.resolved)
                    .compile(resolving: &names), order, descriptor.isAscending
            )
        }
        self.names = names.names
    }

    var isEmpty: Bool { programs.isEmpty }

    /// Returns the values by which an object is sorted.
    func keys(of object: ManagedObject) throws -> [ExpressionValue] {
        let live = LiveObject(object, in: context, names: names, now: now)
        return try programs.map { part in
            let value = try part.program.evaluate(in: live)
            // Objects are sorted by their keys, as in the store.
            if case .object(let reference) = value { return .integer(reference.key) }
            return value
        }
    }

    /// Returns a negative number if the first keys sort before the second ones, and a positive one if they sort after
    /// them.
    func order(_ left: [ExpressionValue], _ right: [ExpressionValue]) -> Int {
        for (index, part) in programs.enumerated() {
            let order = part.order.order(left[index], right[index])
            if order != 0 { return part.isAscending ? order : -order }
        }
        return 0
    }

    /// Returns whether one object comes before another; equal ones are in the order of their keys, new ones at the end.
    func precedes(
        _ left: (keys: [ExpressionValue], key: ObjectKey), _ right: (keys: [ExpressionValue], key: ObjectKey)
    ) -> Bool {
        let order = order(left.keys, right.keys)
        if order != 0 { return order < 0 }
        if left.key.isTemporary || right.key.isTemporary {
            if left.key.isTemporary != right.key.isTemporary { return right.key.isTemporary }
            return left.key.key > right.key.key
        }
        return (left.key.key, left.key.table) < (right.key.key, right.key.table)
    }

    /// Inserts objects into a sorted list at their positions.
    func merge(_ objects: [ManagedObject], into sorted: [ManagedObject]) throws -> [ManagedObject] {
        guard !objects.isEmpty else { return sorted }
        var known: [ObjectIdentifier: [ExpressionValue]] = [:]
        func keys(_ object: ManagedObject) throws -> (keys: [ExpressionValue], key: ObjectKey) {
            if let keys = known[ObjectIdentifier(object)] { return (keys, object.key) }
            let keys = try self.keys(of: object)
            known[ObjectIdentifier(object)] = keys
            return (keys, object.key)
        }
        let new = try objects.map { (object: $0, keys: try keys($0)) }.sorted { precedes($0.keys, $1.keys) }
        var result: [ManagedObject] = []
        result.reserveCapacity(sorted.count + new.count)
        var start = 0
        for (object, own) in new {
            var (low, high) = (start, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if precedes(try keys(sorted[middle]), own) { low = middle + 1 } else { high = middle }
            }
            result += sorted[start..<low]
            result.append(object)
            start = low
        }
        return result + sorted[start...]
    }
}
