internal import ManagedObjectModels

/// One version of a model in the form for rules.
struct LintSubject {
    /// The version's name with its bundle's.
    let name: String

    /// The file that was read.
    let file: String

    let document: ModelDocument
    let model: ResolvedModel

    /// The slots of the entities that are mirrored to CloudKit: those of its configurations, and their superentities.
    let mirrored: Set<Int>

    init(name: String, file: String, document: ModelDocument, model: ResolvedModel) {
        self.name = name
        self.file = file
        self.document = document
        self.model = model
        let isMirrored = document.header.contains {
            $0.name == "usedWithCloudKit" && ["YES", "yes", "true", "1"].contains($0.value)
        }
        let named = document.model.configurations.filter(\.isUsedWithCloudKit).flatMap(\.entityNames)
        // The flag of the model belongs to its default configuration, which contains all entities.
        let members = Set(named.compactMap { model.slot(named: $0) })
        mirrored = Set(
            model.entities.indices.filter { isMirrored || model.entities[$0].subtree.contains(where: members.contains) }
        )
    }

    /// Returns a finding about an entity.
    func finding(_ code: LintCode, _ entity: ResolvedEntity, _ message: String) -> LintFinding {
        finding(code, entity: entity.name, at: .entity(entity.name), message)
    }

    /// Returns a finding about a property that an entity declares.
    func finding(_ code: LintCode, _ property: String, of entity: ResolvedEntity, _ message: String) -> LintFinding {
        // An element of a composite is declared elsewhere; the line is that of the attribute with the first name.
        let declared = property.split(separator: ".").first.map { String($0) } ?? property
        return finding(
            code, entity: entity.name, property: property, at: .property(declared, entity: entity.name), message)
    }

    func finding(
        _ code: LintCode, entity: String? = nil, property: String? = nil, at element: ModelElement, _ message: String
    ) -> LintFinding {
        LintFinding(
            code, version: name, entity: entity, property: property, file: document.files[element] ?? file,
            line: document.lines[element],
            message: message)
    }

    /// All attributes with their declaring entities; composites as a whole, without their elements.
    var attributes: [(entity: ResolvedEntity, attribute: AttributeDescription)] {
        model.entities.flatMap { entity in entity.description.attributes.map { (entity, $0) } }
    }

    /// All relationships with their declaring entities, without those that redeclare an inherited one.
    var relationships: [(entity: ResolvedEntity, relationship: ResolvedRelationship)] {
        model.entities.flatMap { entity in entity.declaredRelationships.map { (entity, $0) } }
    }
}
