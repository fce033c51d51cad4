internal import DocumentReading
internal import PredicateExpressions
import TextEncodings

/// Translates the nodes of a YAML document into a mapping model, and collects errors.
///
/// A function that returns nil has reported the reason.
struct MappingModelParser: YAMLFormReader {
    let document: YAMLDocument
    var problems: [DocumentError] = []
    private(set) var locations: [MappingModelPlace: SourceLocation] = [:]

    init(_ document: YAMLDocument) {
        self.document = document
    }

    mutating func model() -> MappingModel? {
        let root = document.root
        guard checkFormat(),
            let fields = self.fields(of: root, what: "a mapping model", keys: MappingModelKeys.file)
        else { return nil }
        var model = MappingModel()
        locations[MappingModelPlace()] = root.location
        if let node = fields["models"],
            let models = self.fields(of: node, what: "\"models\"", keys: MappingModelKeys.models)
        {
            model.sourceModelPath = models["source"].flatMap { text($0, what: "\"source\"") }
            model.destinationModelPath = models["destination"].flatMap { text($0, what: "\"destination\"") }
        }
        guard let node = fields["entities"] else {
            report("a mapping model needs \"entities\"", at: root.location)
            return nil
        }
        var names: [String: SourceLocation] = [:]
        for item in list(of: node, what: "\"entities\"", allowsEmpty: true) ?? [] {
            guard let (mapping, location) = entityMapping(item) else { continue }
            if let first = names[mapping.name] {
                report(
                    "line \(first.line) has a mapping \"\(mapping.name)\" already; give this one another name",
                    at: location)
            }
            names[mapping.name] = location
            model.entityMappings.append(mapping)
        }
        return model
    }

    /// Returns whether the document is a mapping model.
    private mutating func checkFormat() -> Bool {
        let root = document.root
        guard let node = root["mapping"] else {
            let reason = root["import"] != nil ? "this is a mapping of an import; " : ""
            report(
                "\(reason)a mapping model begins with \"mapping: \(MappingModelReader.formatNumber)\"",
                at: root.location)
            return false
        }
        guard node.integer == Int64(MappingModelReader.formatNumber) else {
            report(
                "the format \"\(node.text ?? "")\" is not known; this program reads "
                    + "\"mapping: \(MappingModelReader.formatNumber)\"", at: node.location)
            return false
        }
        return true
    }

    // MARK: Entity mappings

    private mutating func entityMapping(_ node: YAMLNode) -> (EntityMapping, SourceLocation)? {
        guard let fields = fields(of: node, what: "an entity mapping", keys: MappingModelKeys.entity) else {
            return nil
        }
        let source = fields["source"].flatMap { text($0, what: "\"source\"") }
        let destination = fields["destination"].flatMap { text($0, what: "\"destination\"") }
        let name =
            fields["name"].flatMap { text($0, what: "\"name\"") }
            ?? EntityMapping.generatedName(source: source, destination: destination)
        guard !name.isEmpty, source != nil || destination != nil || fields.has("type") else {
            report("an entity mapping needs a \"source\", a \"destination\", or both", at: node.location)
            return nil
        }
        let place = MappingModelPlace(entityMapping: name)
        let location = fields.has("name") ? fields.location("name") : node.location
        if locations[place] == nil { locations[place] = location }
        for key in fields.keys {
            locations[MappingModelPlace(entityMapping: name, key: key)] = fields[key]?.location
        }
        var mapping = EntityMapping(
            name: name, type: type(fields, source: source, destination: destination), sourceEntityName: source,
            destinationEntityName: destination)
        mapping.sourceEntityVersionHash = fields["sourceHash"].flatMap { hash($0, what: "\"sourceHash\"") }
        mapping.destinationEntityVersionHash =
            fields["destinationHash"].flatMap { hash($0, what: "\"destinationHash\"") }
        mapping.sourceFilter = fields["filter"].flatMap { predicate($0, what: "\"filter\"") }
        mapping.sourceExpression = fields["fetch"].flatMap { expression($0, what: "\"fetch\"") }
        mapping.migrationPolicyClassName = fields["policy"].flatMap { text($0, what: "\"policy\"") }
        mapping.identity = identity(fields)
        mapping.userInfo = fields["userInfo"].map { userInfo($0) } ?? [:]
        mapping.attributeMappings = fields["attributes"].map { properties($0, "attributes", of: name) } ?? []
        mapping.relationshipMappings = fields["relationships"].map { properties($0, "relationships", of: name) } ?? []
        return (mapping, location)
    }

    /// Returns the type; if none is given, it follows from the entities: with only one of them, it is an addition or a
    /// removal.
    private mutating func type(_ fields: YAMLFields, source: String?, destination: String?) -> EntityMappingType {
        guard let node = fields["type"] else {
            return source == nil ? .add : destination == nil ? .remove : fields.has("policy") ? .custom : .undefined
        }
        let words = EntityMappingType.allCases.map { ($0.name.lowercased(), $0) }
        guard let type = choice(node, what: "\"type\"", words) else { return .undefined }
        switch type {
        case .add where source != nil: report("an addition has no \"source\"", at: fields.location("source"))
        case .add where destination == nil: report("an addition needs a \"destination\"", at: node.location)
        case .remove where destination != nil:
            report("a removal has no \"destination\"", at: fields.location("destination"))
        case .copy where source == nil || destination == nil, .transform where source == nil || destination == nil:
            report("this type needs a \"source\" and a \"destination\"", at: node.location)
        default: break
        }
        return type
    }

    private mutating func identity(_ fields: YAMLFields) -> MappingIdentity? {
        let survivor: MappingIdentity.Survivor? =
            fields["survivor"].flatMap { choice($0, what: "\"survivor\"") }
        guard let node = fields["key"] else {
            if fields.has("survivor") {
                report("\"survivor\" is for mappings with a \"key\"", at: fields.location("survivor"))
            }
            return nil
        }
        guard let attributes = texts(node, what: "\"key\"") else { return nil }
        return MappingIdentity(attributes: attributes, survivor: survivor ?? .first)
    }

    // MARK: Property mappings

    private mutating func properties(_ node: YAMLNode, _ key: String, of mapping: String) -> [PropertyMapping] {
        var result: [PropertyMapping] = []
        for entry in entries(of: node, what: "\"\(key)\"") ?? [] {
            locations[MappingModelPlace(entityMapping: mapping, property: entry.key)] = entry.keyLocation
            if let property = property(entry, isRelationship: key == "relationships", of: mapping) {
                result.append(property)
            }
        }
        return result
    }

    private mutating func property(
        _ entry: YAMLEntry, isRelationship: Bool, of mapping: String
    ) -> PropertyMapping? {
        let what = "\"\(entry.key)\""
        var property = PropertyMapping(name: entry.key)
        let valuePlace = MappingModelPlace(entityMapping: mapping, property: entry.key, key: "value")
        if entry.value.tag == MappingModelKeys.generatedTag {
            property.isExpressionGenerated = true
            return property
        }
        guard entry.value.mapping != nil else {
            guard !entry.value.isNull else { return property }
            locations[valuePlace] = entry.value.location
            property.valueExpression = expression(entry.value, what: "the value of \(what)")
            return property
        }
        guard let fields = fields(of: entry.value, what: what, keys: MappingModelKeys.property) else { return nil }
        if let node = fields["value"], !node.isNull {
            locations[valuePlace] = node.location
            property.valueExpression = expression(node, what: "the value of \(what)")
        }
        if !isRelationship {
            for key in ["keyPath", "mapping", "choose"] where fields.has(key) {
                report("\"\(key)\" is for relationships", at: fields.location(key))
            }
        }
        property.sourceKeyPath = fields["keyPath"].flatMap { expression($0, what: "\"keyPath\"") }
        property.sourceMappingName = fields["mapping"].flatMap { text($0, what: "\"mapping\"") }
        property.isExpressionGenerated = fields["generated"].flatMap { boolean($0, what: "\"generated\"") }
        property.choice = fields["choose"].flatMap { choice($0, what: "\"choose\"") }
        property.userInfo = fields["userInfo"].map { userInfo($0) } ?? [:]
        for node in fields["transforms"].flatMap({ list(of: $0, what: "\"transforms\"") }) ?? [] {
            if let transform = transform(node) { property.transforms.append(transform) }
        }
        return property
    }

    private mutating func transform(_ node: YAMLNode) -> PropertyTransform? {
        guard let fields = fields(of: node, what: "a transform", keys: MappingModelKeys.transform) else {
            return nil
        }
        guard let name = fields["property"], let property = text(name, what: "\"property\"") else {
            if !fields.has("property") { report("a transform needs a \"property\"", at: node.location) }
            return nil
        }
        var transform = PropertyTransform(propertyName: property)
        if let node = fields["value"], !node.isNull {
            transform.valueExpression = expression(node, what: "the value of a transform")
        }
        transform.replacesMissingValueOnly =
            fields["missingOnly"].flatMap { boolean($0, what: "\"missingOnly\"") } ?? false
        return transform
    }

    // MARK: Values

    private mutating func userInfo(_ node: YAMLNode) -> [String: String] {
        var result: [String: String] = [:]
        for entry in entries(of: node, what: "\"userInfo\"") ?? [] {
            result[entry.key] = text(entry.value, what: "\"\(entry.key)\"", allowsEmpty: true)
        }
        return result
    }

    private mutating func hash(_ node: YAMLNode, what: String) -> [UInt8]? {
        guard let text = text(node, what: what) else { return nil }
        let digits = text.utf8.dropFirst(MappingModelKeys.hashPrefix.utf8.count)
        guard text.hasPrefix(MappingModelKeys.hashPrefix), let bytes = Hexadecimal.decode(digits), bytes.count == 32
        else {
            report("\(what) must be \(MappingModelKeys.hashPrefix) and 64 hexadecimal digits", at: node.location)
            return nil
        }
        return bytes
    }

    private mutating func expression(_ node: YAMLNode, what: String) -> String? {
        guard let text = text(node, what: what) else { return nil }
        do {
            _ = try Expression(format: text)
            return text
        } catch {
            report("\(what) cannot be read: \(error)", at: node.location(offset: error.column - 1))
            return nil
        }
    }

    private mutating func predicate(_ node: YAMLNode, what: String) -> String? {
        guard let text = text(node, what: what) else { return nil }
        do {
            _ = try Predicate(format: text)
            return text
        } catch {
            report("\(what) cannot be read: \(error)", at: node.location(offset: error.column - 1))
            return nil
        }
    }
}
