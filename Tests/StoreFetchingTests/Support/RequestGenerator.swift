import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import TestSupport

/// Makes requests with sort descriptors, limits, distinct results or groups; the same ones for the same seed.
struct RequestGenerator {
    private let sample: OpenedSample
    private var random: RandomNumbers
    private var predicates: PredicateGenerator

    init(_ sample: OpenedSample, seed: UInt64) {
        self.sample = sample
        random = RandomNumbers(seed: seed &* 31 &+ 7)
        predicates = PredicateGenerator(sample, seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func request(_ entity: ResolvedEntity) throws -> FetchRequest {
        var request = FetchRequest(entityName: entity.name)
        if number(0...1) == 0 { request.predicate = try predicates.predicate(entity.slot, depth: 1) }
        request.resultType = .dictionaries
        request.includesSubentities = number(0...3) > 0
        let keys = (0..<number(1...3)).compactMap { _ in key(entity) }
        if number(0...2) == 0 || keys.isEmpty {
            request.propertiesToGroupBy = keys.map { .keyPath($0) }
            request.propertiesToFetch = [FetchedProperty(.count, of: nil)]
            let numbers = entity.attributes.filter { isPlain($0, [.integer16, .integer32]) }
            if let attribute = numbers.randomElement(using: &random) {
                for aggregate in [GroupAggregate.sum, .minimum, .maximum] {
                    request.propertiesToFetch.append(FetchedProperty(aggregate, of: .keyPath(attribute.name)))
                }
            }
            if number(0...1) == 0 { request.havingPredicate = try FormatPredicate(format: "count > 1") }
        } else {
            request.propertiesToFetch = keys.map { FetchedProperty(.keyPath($0)) }
            request.returnsDistinctResults = number(0...2) == 0
        }
        for key in Set(keys).sorted() where number(0...1) == 0 {
            request.sortDescriptors.append(FetchSortDescriptor(keyPath: key, isAscending: number(0...1) == 0))
        }
        if number(0...2) == 0 { request.fetchLimit = number(1...12) }
        if number(0...2) == 0 { request.fetchOffset = number(1...6) }
        return request
    }

    /// An attribute, own or behind to-one relationships, whose stored values have a plain order.
    private mutating func key(_ entity: ResolvedEntity) -> String? {
        let types: [AttributeType] = [.integer16, .integer32, .integer64, .string, .boolean, .date, .double]
        let toOnes = entity.relationships.filter { $0.isStored && !$0.isToMany }
        if number(0...2) == 0, let relationship = toOnes.randomElement(using: &random) {
            let other = sample.model.entities[relationship.destination].attributes.filter { isPlain($0, types) }
            return other.randomElement(using: &random).map { relationship.name + "." + $0.name }
        }
        return entity.attributes.filter { isPlain($0, types) }.randomElement(using: &random)?.name
    }

    private func isPlain(_ attribute: ResolvedAttribute, _ types: [AttributeType]) -> Bool {
        attribute.isStored && types.contains(attribute.type) && sample.layout.column(.attribute(attribute.key)) != nil
    }
}
