internal import MappingModels

extension ChangeRule {
    /// Finds risky changes from the comparison of the versions that inference does not report.
    static let losses = ChangeRule(.lostData, .renamed, .tightenedRule) { change in
        change.difference.entities.flatMap { entity -> [LintFinding] in
            func finding(_ code: LintCode, _ property: String?, _ message: String) -> LintFinding {
                change.finding(code, entity: entity.name, property: property, message)
            }
            if entity.kind == .removed {
                // Its properties are removed with it: one finding is enough.
                guard entity.ownRisk == .destructive else { return [] }
                return [
                    finding(.lostData, nil, "the entity is removed, and \(entity.explanation ?? "data are dropped")")
                ]
            }
            guard entity.kind != .added else { return [] }
            var findings: [LintFinding] = []
            if let former = entity.formerName {
                findings.append(finding(.renamed, nil, "the entity was called \(former)"))
            }
            for property in entity.properties {
                if property.kind == .removed, property.ownRisk == .destructive {
                    let reason = property.explanation ?? "its values are dropped"
                    findings.append(
                        finding(.lostData, property.name, "the \(property.property.rawValue) is removed: \(reason)"))
                } else if property.kind == .added, property.property == .relationship,
                    property.ownRisk == .dataDependent
                {
                    findings.append(finding(.tightenedRule, property.name, property.explanation ?? ""))
                } else if let former = property.formerName {
                    findings.append(
                        finding(.renamed, property.name, "the \(property.property.rawValue) was called \(former)"))
                }
                for facet in property.changes {
                    guard let code = code(of: facet, in: property) else { continue }
                    findings.append(
                        finding(
                            code, property.name, "\(facet.facet.label): \(facet.explanation ?? "data may be dropped")"))
                }
            }
            return findings
        }
    }

    private static func code(of change: FacetChange, in property: PropertyDifference) -> LintCode? {
        switch change.facet {
        // Inference refuses these, or checks the data.
        case .type, .cardinality, .destination, .declaringEntity: return nil
        case .optional where property.property == .attribute: return nil
        default: break
        }
        switch change.risk {
        case .destructive: return .lostData
        case .dataDependent: return .tightenedRule
        case .none, .rename: return nil
        }
    }
}
