public import ManagedObjectModels
import TestSupport

extension RandomModel {
    /// A later version of a model: a few changes of the kinds that developers make, not all of them inferable.
    public mutating func laterVersion(of model: ManagedObjectModel) -> ManagedObjectModel {
        var result = model
        var changes = 1 + below(6)
        while changes > 0 {
            let before = result
            change(&result)
            result = ModelRepair.repaired(result)
            // A change that does not fit the model changes nothing.
            if result != before { changes -= 1 }
        }
        return result
    }

    private mutating func change(_ model: inout ManagedObjectModel) {
        guard let index = model.entities.indices.randomElement(using: &random) else { return }
        switch below(30) {
        case 0, 1: model.entities[index].attributes.append(attribute(in: model))
        case 2: _ = removeAttribute(from: index, in: &model)
        case 3, 4: renameAttribute(of: index, in: &model)
        case 5, 6: changeAttribute(of: index, in: &model) { $0.isOptional.toggle() }
        case 7: changeExternalStorage(of: index, in: &model)
        case 8: moveAttributeUp(from: index, in: &model)
        case 9: moveAttributeDown(from: index, in: &model)
        case 10: changeAttributeType(of: index, in: &model)
        case 11, 12: addRelationship(to: &model)
        case 13: removeRelationship(from: index, in: &model)
        case 14, 15: renameRelationship(of: index, in: &model)
        case 16, 17: changeCardinality(of: index, in: &model)
        case 18: changeOrder(of: index, in: &model)
        case 19: changeInverse(of: index, in: &model)
        case 20: addEntity(to: &model)
        case 21: removeEntity(at: index, in: &model)
        case 22: renameEntity(at: index, in: &model)
        case 23: insertParent(of: index, in: &model)
        case 24: moveEntity(at: index, in: &model)
        case 25: addUniqueness(to: &model)
        case 26: moveRelationshipUp(from: index, in: &model)
        case 27: exchangeAttributes(of: index, in: &model)
        case 28: if chance(1, of: 2) { addDerived(to: &model) } else { addIndex(to: &model) }
        default:
            if chance(1, of: 2) {
                model.entities[index].isAbstract.toggle()
            } else {
                moveDestination(of: index, in: &model)
            }
        }
    }

    // MARK: - Attributes

    private mutating func place(of index: Int, in model: ManagedObjectModel) -> Int? {
        model.entities[index].attributes.indices.randomElement(using: &random)
    }

    private mutating func removeAttribute(from index: Int, in model: inout ManagedObjectModel) -> AttributeDescription?
    {
        place(of: index, in: model).map { model.entities[index].attributes.remove(at: $0) }
    }

    private mutating func changeAttribute(
        of index: Int, in model: inout ManagedObjectModel, _ change: (inout AttributeDescription) -> Void
    ) {
        guard let place = place(of: index, in: model) else { return }
        change(&model.entities[index].attributes[place])
    }

    private mutating func renameAttribute(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = place(of: index, in: model) else { return }
        var attribute = model.entities[index].attributes[place]
        guard attribute.type != .composite else { return }
        attribute.renamingIdentifier = attribute.renamingIdentifier ?? attribute.name
        let former = attribute.name
        attribute.name = propertyName()
        model.entities[index].attributes[place] = attribute
        // Somebody else takes the name: an attribute that is not the same, for all that.
        if chance(1, of: 4) {
            var other = self.attribute(in: model)
            if other.type != .composite {
                other.name = former
                other.renamingIdentifier = "none.\(former)"
                model.entities[index].attributes.append(other)
            }
        }
    }

    private mutating func changeExternalStorage(of index: Int, in model: inout ManagedObjectModel) {
        let places = model.entities[index].attributes.indices.filter {
            model.entities[index].attributes[$0].type == .binaryData
        }
        guard let place = pick(places) else { return }
        model.entities[index].attributes[place].allowsExternalBinaryDataStorage.toggle()
    }

    private mutating func moveAttributeUp(from index: Int, in model: inout ManagedObjectModel) {
        guard let parent = model.entities[index].superentityName,
            let target = model.entities.firstIndex(where: { $0.name == parent }),
            let attribute = removeAttribute(from: index, in: &model)
        else { return }
        // What all the siblings have goes up as one.
        for sibling in model.entities.indices where model.entities[sibling].superentityName == parent {
            model.entities[sibling].attributes.removeAll { $0.name == attribute.name && $0.type == attribute.type }
        }
        model.entities[target].attributes.append(attribute)
    }

    private mutating func moveAttributeDown(from index: Int, in model: inout ManagedObjectModel) {
        let name = model.entities[index].name
        let children = model.entities.indices.filter { model.entities[$0].superentityName == name }
        guard !children.isEmpty, let attribute = removeAttribute(from: index, in: &model) else { return }
        for child in children where chance(2, of: 3) { model.entities[child].attributes.append(attribute) }
    }

    /// Two attributes take each other's name.
    private mutating func exchangeAttributes(of index: Int, in model: inout ManagedObjectModel) {
        let places = model.entities[index].attributes.indices.filter {
            model.entities[index].attributes[$0].type != .composite
        }.shuffled(using: &random)
        guard places.count > 1 else { return }
        let (first, second) = (model.entities[index].attributes[places[0]], model.entities[index].attributes[places[1]])
        // The same hash would say that nothing has changed: Core Data itself could not tell.
        guard first.type != second.type else { return }
        for (place, attribute, name) in [(places[0], first, second.name), (places[1], second, first.name)] {
            model.entities[index].attributes[place].renamingIdentifier = attribute.renamingIdentifier ?? attribute.name
            model.entities[index].attributes[place].name = name
        }
    }

    private mutating func changeAttributeType(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = place(of: index, in: model), model.entities[index].attributes[place].type != .composite else {
            return
        }
        let type = pick([.string, .integer32, .date, .binaryData]) ?? AttributeType.string
        model.entities[index].attributes[place].type = type
        model.entities[index].attributes[place].defaultValue = nil
        model.entities[index].attributes[place].allowsExternalBinaryDataStorage = false
    }

    // MARK: - Relationships

    private mutating func relationshipPlace(of index: Int, in model: ManagedObjectModel) -> Int? {
        model.entities[index].relationships.indices.randomElement(using: &random)
    }

    private mutating func removeRelationship(from index: Int, in model: inout ManagedObjectModel) {
        guard let place = relationshipPlace(of: index, in: model) else { return }
        model.entities[index].relationships.remove(at: place)
    }

    private mutating func renameRelationship(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = relationshipPlace(of: index, in: model) else { return }
        var relationship = model.entities[index].relationships[place]
        let former = relationship.name
        relationship.renamingIdentifier = relationship.renamingIdentifier ?? former
        relationship.name = propertyName() + "s"
        if relationship.inverseName == former, relationship.destinationEntityName == model.entities[index].name {
            relationship.inverseName = relationship.name
        }
        model.entities[index].relationships[place] = relationship
        guard let target = model.entities.firstIndex(where: { $0.name == relationship.destinationEntityName }) else {
            return
        }
        for other in model.entities[target].relationships.indices
        where model.entities[target].relationships[other].name == relationship.inverseName
            && model.entities[target].relationships[other].inverseName == former
        {
            model.entities[target].relationships[other].inverseName = relationship.name
        }
    }

    private mutating func changeCardinality(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = relationshipPlace(of: index, in: model) else { return }
        var relationship = model.entities[index].relationships[place]
        // The other direction is refused; now and then it is tried.
        if relationship.isToMany && !chance(1, of: 8) { return }
        relationship.isToMany.toggle()
        relationship.maximumCount = relationship.isToMany ? 0 : 1
        relationship.isOrdered =
            relationship.isToMany && relationship.inverseName != relationship.name && chance(1, of: 3)
        model.entities[index].relationships[place] = relationship
    }

    private mutating func changeOrder(of index: Int, in model: inout ManagedObjectModel) {
        let places = model.entities[index].relationships.indices.filter {
            let relationship = model.entities[index].relationships[$0]
            return relationship.isToMany && relationship.inverseName != relationship.name
        }
        guard let place = pick(places) else { return }
        model.entities[index].relationships[place].isOrdered.toggle()
    }

    /// An inverse goes, or one comes.
    private mutating func changeInverse(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = relationshipPlace(of: index, in: model) else { return }
        let relationship = model.entities[index].relationships[place]
        if relationship.inverseName != nil {
            model.entities[index].relationships[place].inverseName = nil
        } else {
            let name = propertyName() + "Of"
            model.entities[index].relationships[place].inverseName = name
            let isToMany = chance(1, of: 2)
            model.append(
                RelationshipDescription(
                    name: name, destinationEntityName: model.entities[index].name, inverseName: relationship.name,
                    isToMany: isToMany, isOrdered: isToMany && chance(1, of: 3)),
                to: relationship.destinationEntityName)
        }
    }

    /// What the siblings have of that name goes up as one.
    private mutating func moveRelationshipUp(from index: Int, in model: inout ManagedObjectModel) {
        guard let parent = model.entities[index].superentityName,
            let target = model.entities.firstIndex(where: { $0.name == parent }),
            let place = relationshipPlace(of: index, in: model)
        else { return }
        let relationship = model.entities[index].relationships.remove(at: place)
        for sibling in model.entities.indices where model.entities[sibling].superentityName == parent {
            model.entities[sibling].relationships.removeAll { $0.name == relationship.name }
        }
        model.entities[target].relationships.append(relationship)
        guard let inverse = relationship.inverseName,
            let other = model.entities.firstIndex(where: { $0.name == relationship.destinationEntityName }),
            let at = model.entities[other].relationships.firstIndex(where: { $0.name == inverse })
        else { return }
        model.entities[other].relationships[at].destinationEntityName = parent
    }

    /// The destination becomes its parent or one of its children.
    private mutating func moveDestination(of index: Int, in model: inout ManagedObjectModel) {
        guard let place = relationshipPlace(of: index, in: model) else { return }
        let relationship = model.entities[index].relationships[place]
        let former = relationship.destinationEntityName
        let near =
            model.entities.filter { $0.superentityName == former }.map(\.name)
            + [model.entity(named: former)?.superentityName].compactMap { $0 }
        guard let name = pick(near), let old = model.entities.firstIndex(where: { $0.name == former }),
            let new = model.entities.firstIndex(where: { $0.name == name })
        else { return }
        model.entities[index].relationships[place].destinationEntityName = name
        if let inverse = relationship.inverseName, inverse != relationship.name,
            let at = model.entities[old].relationships.firstIndex(where: { $0.name == inverse })
        {
            model.entities[new].relationships.append(model.entities[old].relationships.remove(at: at))
        }
    }

    // MARK: - Entities

    private mutating func removeEntity(at index: Int, in model: inout ManagedObjectModel) {
        guard model.entities.count > 1 else { return }
        let entity = model.entities.remove(at: index)
        let goesUp = chance(1, of: 2)
        for child in model.entities.indices where model.entities[child].superentityName == entity.name {
            model.entities[child].superentityName = goesUp ? entity.superentityName : nil
        }
    }

    private mutating func renameEntity(at index: Int, in model: inout ManagedObjectModel) {
        let former = model.entities[index].name
        let name = entityName()
        var entities = model.entities
        entities[index].renamingIdentifier = entities[index].renamingIdentifier ?? former
        entities[index].name = name
        for other in entities.indices {
            if entities[other].superentityName == former { entities[other].superentityName = name }
            for place in entities[other].relationships.indices
            where entities[other].relationships[place].destinationEntityName == former {
                entities[other].relationships[place].destinationEntityName = name
            }
        }
        model.entities = entities
    }

    private mutating func insertParent(of index: Int, in model: inout ManagedObjectModel) {
        var parent = EntityDescription(name: entityName())
        parent.superentityName = model.entities[index].superentityName
        parent.isAbstract = chance(1, of: 2)
        if chance(1, of: 2) { parent.attributes.append(attribute(in: model)) }
        model.entities[index].superentityName = parent.name
        model.entities.append(parent)
    }

    /// In or out of a hierarchy, or elsewhere in it.
    private mutating func moveEntity(at index: Int, in model: inout ManagedObjectModel) {
        let name = model.entities[index].name
        let others = model.entities.map(\.name).filter { $0 != name }
        model.entities[index].superentityName = chance(1, of: 2) ? nil : pick(others)
    }
}
