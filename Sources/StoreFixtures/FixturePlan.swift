import ManagedObjectModels
import PersistentStores

/// The decisions that are made before rows are written: the numbers of objects, their values, and their links.
struct FixturePlan {
    /// A relationship with its links, and the objects on both sides.
    struct Link {
        let rule: LinkRule
        let first: Population
        let second: Population
        let links: FixtureLinks
    }

    /// A column with the links of a to-one relationship, or of a to-many without an inverse.
    struct LinkColumn: Hashable {
        let key: PropertyKey
        let isUnidirectional: Bool
    }

    let layout: StoreLayout
    let seed: UInt64
    let counts: ObjectCounts
    let links: [Link]
    /// The links in each column, by their index in `links`, and whether its objects are those of the second side.
    let linkColumns: [LinkColumn: (link: Int, isSecond: Bool)]
    private let joinLinks: [PropertyKey: Int]
    private(set) var attributes: [PropertyKey: AttributeFixture] = [:]
    private let uniqueness: UniquenessPlan
    private(set) var findings: [FixtureFinding] = []

    var model: ResolvedModel { layout.model }

    /// - Parameter holdsObjects: returns whether the store may have objects of an entity, by its name.
    init(layout: StoreLayout, rows: Int, seed: UInt64, holdsObjects: (String) -> Bool = { _ in true }) {
        self.layout = layout
        self.seed = seed
        let model = layout.model
        var fixtures: [PropertyKey: AttributeFixture] = [:]
        var findings: [FixtureFinding] = []
        var refused: [Int: String] = [:]
        for entity in model.entities where !holdsObjects(entity.name) {
            refused[entity.slot] = "it is not of the configuration"
        }
        for entity in model.entities {
            for attribute in entity.declaredAttributes where Self.isMade(attribute) {
                let fixture = AttributeFixture(attribute, of: entity.name, seed: seed)
                fixtures[attribute.key] = fixture
                let subject = "\(entity.name).\(attribute.name)"
                for remark in fixture.remarks {
                    findings.append(FixtureFinding(code: .predicateUnchecked, subject: subject, message: remark))
                }
                if let transformer = fixture.unknownTransformer {
                    findings.append(
                        FixtureFinding(
                            code: .unknownTransformer, subject: subject,
                            message: "its values are keyed archives, which \(transformer) may not read"))
                }
                guard let problem = fixture.problem else { continue }
                if attribute.isOptional {
                    findings.append(
                        FixtureFinding(
                            code: .noValues, subject: subject, message: "it gets no values: \(problem)"))
                } else {
                    for slot in entity.subtree {
                        refused[slot] = "the required attribute \(attribute.name): \(problem)"
                    }
                }
            }
        }
        findings += Self.derived(layout)
        uniqueness = UniquenessPlan(model: model, rows: rows) { fixtures[$0]?.source?.capacity }
        let rules = LinkRules(layout: layout, unique: uniqueness.uniqueToOnes)
        refused.merge(rules.refused) { first, _ in first }
        findings += rules.unlinked.map { name in
            FixtureFinding(
                code: .noLinks, subject: name,
                message: "it leads nowhere: its inverse has another relationship as its own inverse")
        }
        var solver = CountSolver(
            model: model, rows: rows, rules: rules.rules, refused: refused, caps: uniqueness.caps)
        solver.solve()
        let counts = ObjectCounts(model: model, counts: solver.counts)
        self.counts = counts
        links = rules.rules.map { rule in
            let (first, second) = (counts.population(rule.first.slots), counts.population(rule.second.slots))
            return Link(
                rule: rule, first: first, second: second,
                links: FixtureLinks(rule, first: first, second: second, seed: seed))
        }
        linkColumns = Self.columns(of: rules.rules)
        joinLinks = Self.joinLinks(among: links)
        for entity in model.entities where !entity.isAbstract && holdsObjects(entity.name) {
            let count = solver.counts[entity.slot]
            guard count != rows else { continue }
            let reason = solver.reasons[entity.slot] ?? "its rules ask for that"
            findings.append(
                count == 0
                    ? FixtureFinding(code: .noObjects, subject: entity.name, message: "it gets no objects: \(reason)")
                    : FixtureFinding(
                        code: .otherCount, subject: entity.name,
                        message: "it gets \(Quantity.count(Int64(count), "object")): \(reason)"))
        }
        attributes = fixtures
        self.findings = findings
    }

    private static func columns(of rules: [LinkRule]) -> [LinkColumn: (link: Int, isSecond: Bool)] {
        var columns: [LinkColumn: (link: Int, isSecond: Bool)] = [:]
        func add(_ key: PropertyKey, _ rule: LinkRule, _ link: (link: Int, isSecond: Bool)) {
            let column = LinkColumn(key: key, isUnidirectional: rule.isUnidirectional)
            if columns[column] == nil { columns[column] = link }
        }
        for (index, rule) in rules.enumerated() where rule.kind == .toOne || rule.kind == .oneToOne {
            add(rule.key, rule, (index, false))
            if rule.kind == .oneToOne, let inverse = rule.inverseKey { add(inverse, rule, (index, true)) }
        }
        return columns
    }

    private static func joinLinks(among links: [Link]) -> [PropertyKey: Int] {
        Dictionary(
            links.indices.filter { links[$0].links.joinRows > 0 }.map { (links[$0].rule.key, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the links in a join table; nil if it has no rows.
    func link(ofJoinTable table: JoinTable) -> Link? { joinLinks[table.relationship].map { links[$0] } }

    /// Returns findings about derived attributes whose trigger form is not known.
    private static func derived(_ layout: StoreLayout) -> [FixtureFinding] {
        let values = DerivedValues(layout: layout)
        return layout.model.entities.flatMap { entity in
            entity.declaredAttributes.compactMap { attribute in
                let derivation = attribute.description.derivationExpression ?? ""
                let subject = entity.name + "." + attribute.name
                if let reason = values.refusals[attribute.key] {
                    return FixtureFinding(
                        code: .notDerived, subject: subject,
                        message: "its values stay empty, as \(derivation) cannot be computed: \(reason)")
                }
                guard values.statements[attribute.key] != nil else { return nil }
                return FixtureFinding(
                    code: .noTrigger, subject: subject,
                    message: "its values are right, but the trigger that keeps \(derivation) right is not known")
            }
        }
    }

    /// Returns whether values are generated; for derived attributes only the time of the last change is, the others are
    /// computed.
    private static func isMade(_ attribute: ResolvedAttribute) -> Bool {
        attribute.isStored && (!attribute.isDerived || attribute.description.derivation == .now)
    }

    /// Returns the number of the value that an object must have to differ from others; nil if any value is allowed.
    func distinctNumber(of key: PropertyKey, numberInTable: Int) -> Int? {
        guard let role = uniqueness.roles[key] else { return nil }
        let population = counts.population(role.slots)
        let number = numberInTable - population.first
        guard number >= 0, number < population.count else { return nil }
        return number / role.divisor % role.capacity
    }
}
