import DocumentReading

extension ContentsParser {
    /// Reads an entity, from its start tag on.
    func entity() throws(ModelError) -> EntityDescription {
        let line = reader.line
        entityName = ownName
        defer { entityName = nil }
        var entity = EntityDescription(name: "")
        var name: String?
        var otherIdentifier: String?
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .representedClassName: entity.managedObjectClassName = filledValue(at: place)
            case .isAbstract: entity.isAbstract = flag(at: place)
            case .parentEntity: entity.superentityName = filledValue(at: place)
            case .elementID: entity.renamingIdentifier = filledValue(at: place)
            case .renamingIdentifier: otherIdentifier = filledValue(at: place)
            case .syncable: entity.isSyncable = flag(at: place)
            case .versionHashModifier: entity.versionHashModifier = filledValue(at: place)
            case .codeGenerationType: entity.codeGenerationType = filledValue(at: place)
            case .coreSpotlightDisplayNameExpression:
                entity.coreSpotlightDisplayNameExpression = filledValue(at: place)
            default: warnUnknownAttribute(at: place, of: .entity)
            }
        }
        entity.name = try require(name, of: .entity)
        entity.renamingIdentifier = entity.renamingIdentifier ?? otherIdentifier
        guard declarations.entityLines.updateValue(line, forKey: entity.name) == nil else {
            throw error(.duplicateEntity, line: line)
        }
        lines[.entity(entity.name)] = line
        var names: Set<String> = []
        try forEachChild { (element) throws(ModelError) in
            switch element {
            case .attribute: entity.attributes.append(try self.attribute(unique: &names))
            case .relationship: entity.relationships.append(try self.relationship(unique: &names))
            case .fetchedProperty: entity.fetchedProperties.append(try self.fetchedProperty(unique: &names))
            case .fetchIndex: entity.fetchIndexes.append(try self.fetchIndex())
            case .userInfo: entity.userInfo = try self.userInfo()
            case .compoundIndexes:
                entity.compoundIndexes += try self.nameLists(
                    in: .compoundIndexes, each: .compoundIndex, of: .index
                ).map(\.names)
            case .uniquenessConstraints:
                for list in try self.nameLists(
                    in: .uniquenessConstraints, each: .uniquenessConstraint, of: .constraint)
                {
                    let place = entity.uniquenessConstraints.count
                    self.lines[.uniquenessConstraint(place, entity: entity.name)] = list.line
                    entity.uniquenessConstraints.append(list.names)
                }
            default: try self.skipUnknownElement(in: .entity)
            }
        }
        return entity
    }

    /// Reads an element that contains lists of names, such as `<compoundIndexes><compoundIndex><index value="..."/>`.
    private func nameLists(
        in outer: ContentsElement, each list: ContentsElement, of item: ContentsElement
    ) throws(ModelError) -> [(names: [String], line: Int)] {
        var lists: [(names: [String], line: Int)] = []
        for place in 0..<reader.attributeCount { warnUnknownAttribute(at: place, of: outer) }
        try forEachChild { (element) throws(ModelError) in
            guard element == list else { return try self.skipUnknownElement(in: outer) }
            for place in 0..<self.reader.attributeCount { self.warnUnknownAttribute(at: place, of: list) }
            let line = self.reader.line
            var names: [String] = []
            try self.forEachChild { (element) throws(ModelError) in
                guard element == item else { return try self.skipUnknownElement(in: list) }
                names.append(try self.singleValue(.value, of: item))
            }
            lists.append((names, line))
        }
        return lists
    }

    private func fetchIndex() throws(ModelError) -> FetchIndexDescription {
        var index = FetchIndexDescription(name: "", elements: [])
        var name: String?
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .partialIndexPredicate: index.partialIndexPredicate = filledValue(at: place)
            default: warnUnknownAttribute(at: place, of: .fetchIndex)
            }
        }
        index.name = try require(name, of: .fetchIndex)
        if let entityName { lines[.fetchIndex(index.name, entity: entityName)] = reader.line }
        try forEachChild { (element) throws(ModelError) in
            guard element == .fetchIndexElement else { return try self.skipUnknownElement(in: .fetchIndex) }
            index.elements.append(try self.fetchIndexElement())
        }
        return index
    }

    private func fetchIndexElement() throws(ModelError) -> FetchIndexElementDescription {
        var result = FetchIndexElementDescription(propertyName: nil)
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .property: result.propertyName = filledValue(at: place)
            case .expression: result.expression = filledValue(at: place)
            case .type:
                let text = value(at: place)
                switch text {
                case "Binary": result.collation = .binary
                case "RTree": result.collation = .rTree
                default: warnUnparsed(at: place, text, expected: "Binary or RTree")
                }
            case .order:
                let text = value(at: place)
                if text != "ascending" && text != "descending" {
                    warnUnparsed(at: place, text, expected: "ascending or descending")
                }
                result.isAscending = text != "descending"
            default: warnUnknownAttribute(at: place, of: .fetchIndexElement)
            }
        }
        if result.propertyName == nil, result.expression == nil {
            throw error(.missingName(element: ContentsElement.fetchIndexElement.rawValue))
        }
        try expectNoChildren(of: .fetchIndexElement)
        return result
    }

    /// Reads a fetch request of the model or of a fetched property, from its start tag on.
    func fetchRequest() throws(ModelError) -> FetchRequestTemplate {
        var request = FetchRequestTemplate(name: "", entityName: "")
        var name: String?
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .entity: request.entityName = value(at: place)
            case .predicateString: request.predicateFormat = filledValue(at: place)
            case .fetchLimit: request.fetchLimit = count(at: place) ?? 0
            case .fetchBatchSize: request.fetchBatchSize = count(at: place) ?? 0
            case .resultType: request.resultType = count(at: place) ?? 0
            case .includeSubentities: request.includesSubentities = flag(at: place)
            case .includePropertyValues: request.includesPropertyValues = flag(at: place)
            case .includesPendingChanges: request.includesPendingChanges = flag(at: place)
            case .returnObjectsAsFaults: request.returnsObjectsAsFaults = flag(at: place)
            case .returnDistinctResults: request.returnsDistinctResults = flag(at: place)
            default: warnUnknownAttribute(at: place, of: .fetchRequest)
            }
        }
        request.name = try require(name, of: .fetchRequest)
        try expectNoChildren(of: .fetchRequest)
        return request
    }
}
