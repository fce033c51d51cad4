public import ManagedObjectModels
import TestSupport

/// Makes models at random: hierarchies, all attribute types, all kinds of relationships.
public struct RandomModel {
    var random: RandomNumbers
    private var counter = 0

    public init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
    }

    public mutating func model() -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: [])
        if chance(1, of: 5) {
            model.composites = [
                CompositeDescription(
                    name: "Place",
                    elements: [
                        AttributeDescription(name: "street", type: .string, isOptional: true),
                        AttributeDescription(name: "floor", type: .integer16, isOptional: true),
                    ])
            ]
        }
        let count = 2 + below(5)
        for _ in 0..<count { addEntity(to: &model) }
        for _ in 0..<below(count * 2) { addRelationship(to: &model) }
        for _ in 0..<below(3) { addUniqueness(to: &model) }
        for _ in 0..<below(3) { addIndex(to: &model) }
        if chance(1, of: 3) { addDerived(to: &model) }
        return ModelRepair.repaired(model)
    }

    // MARK: - Numbers

    mutating func below(_ bound: Int) -> Int {
        bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &random)
    }

    mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

    mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    /// A name that nobody has, or one that an unrelated entity may have too.
    mutating func propertyName() -> String {
        let common = [
            "name", "text", "size", "date", "kind", "code", "größe", "Value", "order", "note", "index", "state",
        ]
        if chance(1, of: 2), let name = pick(common) { return name }
        counter += 1
        return "\(pick(["field", "wert", "x_", "link", "item"]) ?? "p")\(counter)"
    }

    mutating func entityName() -> String {
        counter += 1
        let stems = ["Alpha", "Mid", "Zeta", "Order", "Group", "Item", "beta", "Person", "Ähre", "Index", "Key"]
        return "\(pick(stems) ?? "E")\(counter)"
    }

    // MARK: - Parts

    mutating func addEntity(to model: inout ManagedObjectModel) {
        var entity = EntityDescription(name: entityName())
        if chance(2, of: 5) { entity.superentityName = pick(model.entities)?.name }
        entity.isAbstract = chance(1, of: 6)
        for _ in 0..<below(5) { entity.attributes.append(attribute(in: model)) }
        model.entities.append(entity)
    }

    mutating func attribute(in model: ManagedObjectModel) -> AttributeDescription {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date,
            .binaryData,
            .binaryData, .uuid, .uri, .transformable,
        ]
        if !model.composites.isEmpty, chance(1, of: 8) {
            counter += 1
            // The columns of a composite are named after its elements.
            return AttributeDescription(
                name: "place\(counter)", type: .composite, isOptional: true, compositeName: model.composites[0].name)
        }
        let type = pick(types) ?? .string
        var attribute = AttributeDescription(name: propertyName(), type: type, isOptional: chance(3, of: 4))
        attribute.isTransient = chance(1, of: 15)
        if chance(1, of: 2) { attribute.defaultValue = defaultValue(of: type) }
        attribute.allowsExternalBinaryDataStorage = type == .binaryData && chance(1, of: 2)
        attribute.isIndexed = chance(1, of: 8)
        return attribute
    }

    mutating func defaultValue(of type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32: .integer(Int64(below(2000) - 1000))
        case .integer64: .integer(pick([0, 1, Int64.max, Int64.min, 1 << 40]) ?? 0)
        case .decimal: .decimal(pick(["0", "12.5", "-3", "1000000"]) ?? "0")
        case .double: .real(pick([0, 0.5, -1.25e10, 3]) ?? 0)
        case .float: .real(pick([0, 0.1, 2.5]) ?? 0)
        case .string: .string(pick(["", "it's", "ünï\"code", "plain"]) ?? "")
        case .boolean: .boolean(chance(1, of: 2))
        case .date: .date(Double(below(700_000_000)))
        case .uuid: .uuid((0..<16).map { UInt8($0 * 3) })
        case .uri: .uri("https://example.org/a?b=c")
        default: nil
        }
    }

    /// A relationship with, mostly, its inverse.
    mutating func addRelationship(to model: inout ManagedObjectModel) {
        guard let source = pick(model.entities)?.name, let target = pick(model.entities)?.name else { return }
        counter += 1
        let (name, inverse) = ("\(pick(["to", "link", "owner"]) ?? "r")\(counter)", "back\(counter)")
        if source == target, chance(1, of: 3) {
            let relationship = self.relationship(name, to: target, inverse: name)
            model.append(relationship, to: source)
        } else if chance(1, of: 4) {
            // Siblings may have relationships of one name.
            let common = chance(1, of: 2) ? pick(["parts", "kin"]) : nil
            model.append(relationship(common ?? name, to: target, inverse: nil), to: source)
        } else {
            model.append(relationship(name, to: target, inverse: inverse), to: source)
            model.append(relationship(inverse, to: source, inverse: name), to: target)
        }
    }

    private mutating func relationship(
        _ name: String, to target: String, inverse: String?
    ) -> RelationshipDescription {
        let isToMany = chance(1, of: 2)
        return RelationshipDescription(
            name: name, destinationEntityName: target, inverseName: inverse, isToMany: isToMany,
            // An order within a relationship that is its own inverse was never seen in a store.
            isOrdered: isToMany && inverse != name && chance(1, of: 3), isOptional: chance(4, of: 5))
    }

    mutating func addUniqueness(to model: inout ManagedObjectModel) {
        guard let index = model.entities.indices.randomElement(using: &random) else { return }
        let candidates = model.entities[index].attributes.filter {
            $0.type != .composite && $0.type != .binaryData && $0.type != .transformable && !$0.isTransient
                && !$0.isDerived
        }
        guard let first = pick(candidates)?.name else { return }
        var names = [first]
        if chance(1, of: 4), let second = pick(candidates)?.name, second != first { names.append(second) }
        if !model.entities[index].uniquenessConstraints.contains(names) {
            model.entities[index].uniquenessConstraints.append(names)
        }
    }

    mutating func addIndex(to model: inout ManagedObjectModel) {
        guard let index = model.entities.indices.randomElement(using: &random),
            let attribute = pick(model.entities[index].attributes.filter { $0.type != .composite && !$0.isTransient })
        else { return }
        counter += 1
        model.entities[index].fetchIndexes.append(
            FetchIndexDescription(
                name: "by\(counter)",
                elements: [
                    FetchIndexElementDescription(propertyName: attribute.name, isAscending: chance(1, of: 2))
                ]))
    }

    mutating func addDerived(to model: inout ManagedObjectModel) {
        guard let index = model.entities.indices.randomElement(using: &random) else { return }
        counter += 1
        var derived = AttributeDescription(name: "derived\(counter)", type: .date, isOptional: true)
        derived.derivationExpression = "now()"
        let entity = model.entities[index]
        let counted = entity.relationships.filter { relationship in
            guard relationship.isToMany, let inverse = relationship.inverseName else { return false }
            return model.entity(named: relationship.destinationEntityName)?.relationships
                .contains { $0.name == inverse && !$0.isToMany } ?? false
        }
        if let relationship = pick(counted) {
            derived.type = .integer64
            derived.derivationExpression = "\(relationship.name).@count"
        } else if let relationship = pick(entity.relationships.filter { !$0.isToMany }),
            let value = pick(
                (model.entity(named: relationship.destinationEntityName)?.attributes ?? []).filter {
                    $0.type == .string && !$0.isTransient
                })
        {
            derived.type = .string
            derived.derivationExpression = "\(relationship.name).\(value.name)"
        }
        model.entities[index].attributes.append(derived)
    }
}

extension ManagedObjectModel {
    mutating func append(_ relationship: RelationshipDescription, to entity: String) {
        guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
        entities[index].relationships.append(relationship)
    }
}
