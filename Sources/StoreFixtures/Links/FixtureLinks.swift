import ManagedObjectModels
import PersistentStores

/// The links of one relationship, computed for each object when its row is written.
enum FixtureLinks: Sendable {
    case toOne(ToOneLinks)
    case oneToOne(OneToOneLinks)
    /// Objects are numbered from the first one of each side's population.
    case manyToMany(ManyToManyLinks)
    case reflexive(ReflexiveLinks)
    case none

    init(_ rule: LinkRule, first: Population, second: Population, seed: UInt64) {
        var random = SeededNumbers(SeededNumbers.mixed(seed ^ SeededNumbers.number(of: rule.name)))
        switch rule.kind {
        case .toOne: self = .toOne(ToOneLinks(rule, children: first.count, parents: second.count, &random))
        case .oneToOne: self = .oneToOne(OneToOneLinks(rule, first: first.count, second: second.count))
        case .manyToMany:
            self = ManyToManyLinks.plan(rule, first.count, second.count).map { .manyToMany($0) } ?? .none
        case .reflexive: self = ReflexiveLinks(rule, first.count).map { .reflexive($0) } ?? .none
        }
    }

    /// Returns the target of an object's to-one key.
    func target(of number: Int, isSecond: Bool) -> LinkTarget? {
        switch self {
        case .toOne(let links): links.target(of: number)
        case .oneToOne(let links):
            links.partner(of: number, isSecond: isSecond).map { LinkTarget(number: $0, place: 0) }
        case .manyToMany, .reflexive, .none: nil
        }
    }

    /// The number of rows in a join table.
    var joinRows: Int {
        switch self {
        case .manyToMany(let links): links.count
        case .reflexive(let links): links.count
        case .toOne, .oneToOne, .none: 0
        }
    }

    /// Returns the row of a join table with a number.
    func joinRow(_ number: Int) -> (first: LinkTarget, second: LinkTarget)? {
        switch self {
        case .manyToMany(let links): links.link(number)
        case .reflexive(let links): links.link(number)
        case .toOne, .oneToOne, .none: nil
        }
    }
}
