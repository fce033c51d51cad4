internal import ManagedObjectModels

extension ModelRule {
    /// Names become classes, accessors and key paths.
    static let identifiers = ModelRule(.invalidName, .unusualCapital) { subject in
        var findings: [LintFinding] = []
        for entity in subject.model.entities {
            if !isIdentifier(entity.name) {
                findings.append(subject.finding(.invalidName, entity, "the entity's name is not an identifier"))
            } else if entity.name.first?.isLowercase == true {
                findings.append(
                    subject.finding(.unusualCapital, entity, "the entity's name begins with a lower-case letter"))
            }
            let description = entity.description
            let names =
                description.attributes.map(\.name) + description.relationships.map(\.name)
                + description.fetchedProperties.map(\.name)
            for name in names {
                if !isIdentifier(name) {
                    findings.append(subject.finding(.invalidName, name, of: entity, "the name is not an identifier"))
                } else if name.first?.isUppercase == true {
                    findings.append(
                        subject.finding(.unusualCapital, name, of: entity, "the name begins with a capital letter"))
                }
            }
        }
        return findings
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
