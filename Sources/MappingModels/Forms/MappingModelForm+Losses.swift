extension MappingModelForm {
    /// Returns a sentence for each part of a mapping model that this form cannot represent; empty if it can be read
    /// back completely.
    ///
    /// None of these losses affects a migration. Expressions that are left to the compiler must be added before a model
    /// is compiled: see `MappingModel.firstGeneratedProperty`.
    public func losses(of model: MappingModel) -> [String] {
        var losses: [String] = []
        if let copies = model.editorModels, self != .source {
            let size = (copies.source?.count ?? 0) + (copies.destination?.count ?? 0)
            losses.append(
                "the copies of both models that Xcode's editor keeps (\(size) bytes) are left out; it makes them again "
                    + "from the models' paths")
        }
        switch self {
        case .yaml: break
        case .source:
            let count = model.entityMappings.count {
                $0.sourceEntityVersionHash != nil || $0.destinationEntityVersionHash != nil
            }
            if count > 0 { losses.append("the version hashes of \(count) entity mappings are left out") }
            let empty = Self.properties(of: model).count {
                $0.valueExpression == nil && $0.isExpressionGenerated != true
            }
            if empty > 0 {
                losses.append(
                    "\(empty) properties have no expression: Xcode's compiler will give one to each whose name the source "
                        + "has, too")
            }
        case .compiled:
            if model.sourceModelPath != nil || model.destinationModelPath != nil {
                losses.append("the paths of the models are left out")
            }
        }
        return losses
    }

    private static func properties(of model: MappingModel) -> [PropertyMapping] {
        model.entityMappings.flatMap { $0.attributeMappings + $0.relationshipMappings }
    }
}
