import DocumentReading

extension ContentsParser {
    /// Reads the whole document.
    func document() throws(ModelError) -> ModelDocument {
        guard try next() == .startElement else { throw error(.notAModel("it has no element")) }
        guard currentElement == .model else {
            throw error(.notAModel("its root is <\(reader.name.qualifiedName)>, not <model>"))
        }
        var document = ModelDocument(model: ManagedObjectModel())
        lines[.model] = reader.line
        readHeader(into: &document)
        var entities: [EntityDescription] = []
        var model = ManagedObjectModel(versionIdentifiers: document.model.versionIdentifiers)
        try forEachChild { (element) throws(ModelError) in
            switch element {
            case .entity: entities.append(try self.entity())
            case .fetchRequest:
                let line = self.reader.line
                let request = try self.fetchRequest()
                self.lines[.fetchRequestTemplate(request.name)] = line
                model.fetchRequestTemplates.append(request)
            case .configuration: model.configurations.append(try self.configuration())
            case .composite: model.composites.append(try self.composite())
            case .elements: document.layout += try self.layout()
            default: try self.skipUnknownElement(in: .model)
            }
        }
        // Until the end, because the text after the root element may be malformed.
        while try next() != nil {}
        model.entities = entities
        try declarations.validate(entities, path: reader.fileName)
        document.model = model
        document.warnings = warnings
        document.lines = lines
        return document
    }

    private func readHeader(into document: inout ModelDocument) {
        for place in 0..<reader.attributeCount {
            let name = reader.name(at: reader.attributeNameIndex(at: place)).qualifiedName
            let value = value(at: place)
            document.header.append(ModelHeaderAttribute(name: name, value: value))
            switch field(at: place) {
            case .userDefinedModelVersionIdentifier: document.model.versionIdentifiers = [value]
            case .type where value != ModelContentsWriter.documentType:
                warnUnparsed(at: place, value, expected: "a data model's type")
            case .type, .name, .documentVersion, .lastSavedToolsVersion, .systemVersion, .minimumToolsVersion,
                .macOSVersion, .iOSVersion, .sourceLanguage, .usedWithCloudKit, .usedWithSwiftData:
                continue
            default: warnUnknownAttribute(at: place, of: .model)
            }
        }
    }

    private func configuration() throws(ModelError) -> ConfigurationDescription {
        var configuration = ConfigurationDescription(name: "", entityNames: [])
        var name: String?
        for place in 0..<reader.attributeCount {
            switch field(at: place) {
            case .name: name = filledValue(at: place)
            case .usedWithCloudKit: configuration.isUsedWithCloudKit = flag(at: place)
            default: warnUnknownAttribute(at: place, of: .configuration)
            }
        }
        configuration.name = try require(name, of: .configuration)
        lines[.configuration(configuration.name)] = reader.line
        try forEachChild { (element) throws(ModelError) in
            guard element == .memberEntity else { return try self.skipUnknownElement(in: .configuration) }
            configuration.entityNames.append(try self.singleValue(.name, of: .memberEntity))
        }
        return configuration
    }

    private func composite() throws(ModelError) -> CompositeDescription {
        let line = reader.line
        var name: String?
        for place in 0..<reader.attributeCount {
            if field(at: place) == .name {
                name = filledValue(at: place)
            } else {
                warnUnknownAttribute(at: place, of: .composite)
            }
        }
        var composite = CompositeDescription(name: try require(name, of: .composite), elements: [])
        entityName = composite.name
        lines[.composite(composite.name)] = line
        defer { entityName = nil }
        guard declarations.compositeNames.insert(composite.name).inserted else {
            throw error(.duplicateEntity, line: line)
        }
        var names: Set<String> = []
        try forEachChild { (element) throws(ModelError) in
            guard element == .attribute else { return try self.skipUnknownElement(in: .composite) }
            composite.elements.append(try self.attribute(unique: &names))
        }
        return composite
    }

    private func layout() throws(ModelError) -> [CanvasElement] {
        var layout: [CanvasElement] = []
        try forEachChild { (element) throws(ModelError) in
            guard element == .element else { return try self.skipUnknownElement(in: .elements) }
            var place = CanvasElement(name: "", positionX: "0", positionY: "0", width: "0", height: "0")
            for index in 0..<self.reader.attributeCount {
                switch self.field(at: index) {
                case .name: place.name = self.value(at: index)
                case .positionX: place.positionX = self.value(at: index)
                case .positionY: place.positionY = self.value(at: index)
                case .width: place.width = self.value(at: index)
                case .height: place.height = self.value(at: index)
                default: self.warnUnknownAttribute(at: index, of: .element)
                }
            }
            layout.append(place)
            try self.expectNoChildren(of: .element)
        }
        return layout
    }

    /// Returns a required name.
    func require(_ name: String?, of element: ContentsElement) throws(ModelError) -> String {
        guard let name else { throw error(.missingName(element: element.rawValue)) }
        return name
    }

    /// Reads an element that has one attribute and no content, and returns the attribute's value.
    func singleValue(_ wanted: ContentsField, of element: ContentsElement) throws(ModelError) -> String {
        var result: String?
        for place in 0..<reader.attributeCount {
            if field(at: place) == wanted {
                result = filledValue(at: place)
            } else {
                warnUnknownAttribute(at: place, of: element)
            }
        }
        let value = try require(result, of: element)
        try expectNoChildren(of: element)
        return value
    }

    /// Reads a `userInfo` element, and returns its keys and values.
    func userInfo() throws(ModelError) -> [String: String] {
        var entries: [String: String] = [:]
        for place in 0..<reader.attributeCount { warnUnknownAttribute(at: place, of: .userInfo) }
        try forEachChild { (element) throws(ModelError) in
            guard element == .entry else { return try self.skipUnknownElement(in: .userInfo) }
            var key: String?
            var value = ""
            for place in 0..<self.reader.attributeCount {
                switch self.field(at: place) {
                case .key: key = self.value(at: place)
                case .value: value = self.value(at: place)
                default: self.warnUnknownAttribute(at: place, of: .entry)
                }
            }
            let name = try self.require(key, of: .entry)
            if entries.updateValue(value, forKey: name) != nil { self.warn(.duplicateUserInfoKey(name)) }
            try self.expectNoChildren(of: .entry)
        }
        return entries
    }
}
