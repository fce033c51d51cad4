public import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport

/// Fills a model with objects at random: values that break careless code, and links of every kind.
public struct RandomContent {
    private let model: ResolvedModel
    private var random: RandomNumbers
    private var unique = 0

    public init(model: ResolvedModel, seed: UInt64) {
        self.model = model
        random = RandomNumbers(seed: seed)
    }

    /// - Parameter count: how many objects an entity has at the most.
    public mutating func content(upTo count: Int) -> StoreContent {
        var content = StoreContent()
        var nextKey: [Int: Int64] = [:]
        let hasGaps = chance(1, of: 3)
        for entity in model.entities where !entity.isAbstract {
            for _ in 0..<below(count + 1) {
                let key = nextKey[entity.root, default: 1] + (hasGaps ? Int64(below(40)) : 0)
                nextKey[entity.root] = key + 1
                content.objects.append(object(of: entity, key: key))
            }
        }
        content.objects.shuffle(using: &random)
        addLinks(to: &content)
        return content
    }

    private mutating func below(_ bound: Int) -> Int {
        bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &random)
    }

    private mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

    // MARK: - Values

    private mutating func object(of entity: ResolvedEntity, key: Int64) -> StoreContent.Object {
        var object = StoreContent.Object(slot: entity.slot, key: key)
        object.optimisticLock = Int64(1 + below(3))
        let constrained = Set(
            model.entities.flatMap { other in
                other.description.uniquenessConstraints.flatMap { $0 }.compactMap { other.attribute(named: $0)?.key }
            })
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            let isNull = attribute.isOptional && chance(1, of: 4)
            if isNull { continue }
            let isUnique = constrained.contains(attribute.key) || attribute.name == "code"
            object.values[attribute.key] = isUnique ? uniqueValue(attribute.type) : value(attribute.type)
        }
        return object
    }

    private mutating func uniqueValue(_ type: AttributeType) -> SQLiteValue {
        unique += 1
        switch type {
        case .string, .uri: return .string("u\(unique)")
        case .boolean: return .null
        case .uuid:
            return .blob((0..<16).map { $0 == 15 ? UInt8(unique & 255) : $0 == 14 ? UInt8(unique >> 8 & 255) : 7 })
        case .binaryData, .transformable: return .blob([UInt8(unique & 255), UInt8(unique >> 8 & 255)])
        case .double, .float, .date: return .real(Double(unique) + 0.5)
        default: return .integer(Int64(unique))
        }
    }

    private mutating func value(_ type: AttributeType) -> SQLiteValue {
        switch type {
        case .integer16: return .integer([0, 1, -1, 32767, -32768, 7].randomElement(using: &random) ?? 0)
        case .integer32: return .integer([0, 1, 2_147_483_647, -2_147_483_648].randomElement(using: &random) ?? 0)
        case .integer64, .objectID:
            return .integer([0, 1, .max, .min, 1 << 53, (1 << 53) + 1].randomElement(using: &random) ?? 0)
        case .boolean: return .integer(Int64(below(2)))
        case .decimal:
            return .string(["0", "10.11", "NaN", "-3", "1e20", "0.1"].randomElement(using: &random) ?? "0")
        case .double: return .real([0, -0.0, 0.1, 1e300, .pi, 3].randomElement(using: &random) ?? 0)
        case .float: return .real(Double(Float([0, 0.1, 1.5, 3.4e38].randomElement(using: &random) ?? 0)))
        case .date: return .real([0, 1, -978_307_200, 700_000_000.123].randomElement(using: &random) ?? 0)
        case .string:
            let texts = ["", "a", "it's", "\"q\"", "Größe", "日本語", "👩‍👩‍👧", "line\nbreak", "a\u{0}b", "12", " 7 ", "NULL"]
            return .string(texts.randomElement(using: &random) ?? "")
        case .uri: return .string("https://example.org/\(below(5))")
        case .uuid: return .blob((0..<16).map { _ in UInt8(below(256)) })
        case .binaryData, .transformable, .undefined, .composite:
            let count = [0, 1, 38, 99, 100, 500].randomElement(using: &random) ?? 0
            return .blob((0..<count).map { _ in UInt8(below(256)) })
        }
    }

    // MARK: - Links

    private mutating func addLinks(to content: inout StoreContent) {
        var done: Set<PropertyKey> = []
        for entity in model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                guard !done.contains(relationship.key), relationship.storage != .inverseToOne else { continue }
                done.insert(relationship.key)
                if let inverse = relationship.inverse { done.insert(inverse.key) }
                let owners = objects(of: relationship.owner, in: content)
                let destinations = objects(of: relationship.destination, in: content)
                content.links[relationship.key] = links(of: relationship, from: owners, to: destinations)
            }
        }
    }

    private func objects(of slot: Int, in content: StoreContent) -> [Int] {
        content.objects.indices.filter { model.isKind(content.objects[$0].slot, of: slot) }
    }

    private mutating func links(
        of relationship: ResolvedRelationship, from owners: [Int], to destinations: [Int]
    ) -> [StoreContent.Link] {
        guard !owners.isEmpty, !destinations.isEmpty else { return [] }
        var result: [StoreContent.Link] = []
        switch relationship.storage {
        case .toOne where relationship.isSelfInverse:
            var free = owners.shuffled(using: &random)
            while free.count > 1 {
                let (first, second) = (free.removeLast(), free.removeLast())
                if chance(1, of: 3) { continue }
                result.append(StoreContent.Link(owner: first, destination: second))
            }
        case .toOne where relationship.inverse?.isToMany == false:
            for (owner, destination) in zip(owners.shuffled(using: &random), destinations.shuffled(using: &random))
            where chance(2, of: 3) {
                result.append(StoreContent.Link(owner: owner, destination: destination))
            }
        case .toOne:
            for owner in owners.shuffled(using: &random) where chance(3, of: 4) {
                result.append(StoreContent.Link(owner: owner, destination: destinations[below(destinations.count)]))
            }
        case .unidirectional:
            for destination in destinations.shuffled(using: &random) where chance(3, of: 4) {
                result.append(StoreContent.Link(owner: owners[below(owners.count)], destination: destination))
            }
        case .joinTable:
            var seen: Set<StoreContent.Link> = []
            for _ in 0..<below(owners.count * 3) {
                let link = StoreContent.Link(
                    owner: owners[below(owners.count)], destination: destinations[below(destinations.count)])
                if seen.insert(link).inserted { result.append(link) }
                let mirrored = StoreContent.Link(owner: link.destination, destination: link.owner)
                if relationship.isSelfInverse, seen.insert(mirrored).inserted { result.append(mirrored) }
            }
        case .inverseToOne: break
        }
        return result
    }
}
