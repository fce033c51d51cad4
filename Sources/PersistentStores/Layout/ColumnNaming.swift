import ManagedObjectModels

/// Assigns column names in the order in which Core Data resolves conflicts (docs/format/sqlite-store.md#entity-tables).
///
/// Equal names within one table get 1, 2, ... appended, in the order of the entities.
struct ColumnNaming {
    let model: ResolvedModel
    let entityNumbers: [Int]
    private var taken: [Int: Set<String>] = [:]

    /// A name, the role of its column, and the number that was appended.
    struct Place {
        let role: EntityColumn.Role
        let root: Int
        let name: String
        let declaredType: String
        /// The type of the attribute; nil for keys.
        let type: AttributeType?
        /// The appended text: empty, or a number.
        let suffix: String
        let property: SortedProperty
    }

    /// The sort key of a column within its class: entity, then attributes before relationships, then name.
    struct SortedProperty {
        let owner: Int
        let isRelationship: Bool
        let name: String
        let elementIndex: Int
    }

    init(model: ResolvedModel, entityNumbers: [Int]) {
        self.model = model
        self.entityNumbers = entityNumbers
    }

    /// Returns all columns but the three that every table has: attributes and to-one keys first, then to-manys without
    /// an inverse.
    mutating func places() -> [Place] {
        var result: [Place] = []
        for entity in model.entities {
            for property in Self.declaredProperties(of: entity) {
                switch property {
                case .attribute(let attribute): result.append(place(attribute, in: entity))
                case .relationship(let relationship) where relationship.storage == .toOne:
                    result += places(forToOne: relationship, in: entity)
                case .relationship: break
                }
            }
        }
        for entity in model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .unidirectional {
                result += places(forUnidirectional: relationship, in: entity)
            }
        }
        return result
    }

    private enum Property {
        case attribute(ResolvedAttribute)
        case relationship(ResolvedRelationship)

        var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    private static func declaredProperties(of entity: ResolvedEntity) -> [Property] {
        let attributes = entity.declaredAttributes.filter(\.isStored).map(Property.attribute)
        let relationships = entity.declaredRelationships.filter(\.isStored).map(Property.relationship)
        return (attributes + relationships).sorted {
            $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
        }
    }

    private mutating func place(_ attribute: ResolvedAttribute, in entity: ResolvedEntity) -> Place {
        let last = attribute.name.split(separator: ".").last.map(String.init) ?? attribute.name
        let (name, suffix) = claim(last.uppercased(), in: entity.root)
        return Place(
            role: .attribute(attribute.key), root: entity.root, name: name,
            declaredType: EntityColumn.declaredType(of: attribute.type), type: attribute.type, suffix: suffix,
            property: SortedProperty(
                owner: entity.slot, isRelationship: false, name: attribute.outermostName,
                elementIndex: attribute.elementIndex))
    }

    private mutating func places(forToOne relationship: ResolvedRelationship, in entity: ResolvedEntity) -> [Place] {
        let base = relationship.name.uppercased()
        let (name, suffix) = claim(base, in: entity.root)
        let property = SortedProperty(
            owner: entity.slot, isRelationship: true, name: relationship.name, elementIndex: 0)
        func integer(_ role: EntityColumn.Role, _ name: String) -> Place {
            Place(
                role: role, root: entity.root, name: name, declaredType: "INTEGER", type: nil, suffix: suffix,
                property: property)
        }
        var result = [integer(.toOne(relationship.key), name)]
        if model.entities[relationship.destination].hasSubentities {
            let number = entityNumbers[relationship.destination]
            result.append(integer(.toOneEntity(relationship.key), "Z\(number)_\(base)\(suffix)"))
        }
        if let inverse = relationship.inverse, inverse.isToMany, inverse.isOrdered {
            result.append(integer(.toOneOrder(relationship.key), "Z_FOK_\(base)\(suffix)"))
        }
        return result
    }

    private mutating func places(
        forUnidirectional relationship: ResolvedRelationship, in entity: ResolvedEntity
    ) -> [Place] {
        let root = model.entities[relationship.destination].root
        let base = "\(entityNumbers[entity.slot])\(relationship.name.uppercased())"
        let (name, suffix) = claim(base, in: root)
        let property = SortedProperty(
            owner: relationship.destination, isRelationship: true, name: relationship.name, elementIndex: 0)
        func integer(_ role: EntityColumn.Role, _ name: String) -> Place {
            Place(
                role: role, root: root, name: name, declaredType: "INTEGER", type: nil, suffix: suffix,
                property: property)
        }
        var result = [integer(.unidirectional(relationship.key), name)]
        if entity.hasSubentities {
            result.append(
                integer(.unidirectionalEntity(relationship.key), "Z\(entityNumbers[entity.slot])_\(base)\(suffix)"))
        }
        if relationship.isOrdered {
            result.append(integer(.unidirectionalOrder(relationship.key), "Z_FOK_\(base)\(suffix)"))
        }
        return result
    }

    private mutating func claim(_ name: String, in root: Int) -> (name: String, suffix: String) {
        var names = taken[root] ?? ["Z_PK", "Z_ENT", "Z_OPT"]
        var number = 0
        var suffix = ""
        while !names.insert("Z\(name)\(suffix)").inserted {
            number += 1
            suffix = String(number)
        }
        taken[root] = names
        return ("Z\(name)\(suffix)", suffix)
    }
}
