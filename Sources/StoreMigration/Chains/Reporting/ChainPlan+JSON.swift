/// The plan of a chain as a JSON document has it: the keys of a plan of one step, and `chain`.
public struct ChainPlanDocument: Encodable, Sendable {
    /// A step of the chain, with its plan.
    public struct Step: Encodable, Sendable {
        /// The number of the step, from 1.
        public let number: Int
        /// The name of the version that the step begins with.
        public let source: String
        /// The name of the version that the step ends with.
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        /// Why the chain goes this way.
        public let reason: String
        /// Whether the data were asked, or the models only.
        public let plannedOnData: Bool
        /// What is done to the objects before the step, in words.
        public let before: [String]
        /// What is done to the objects behind the step, in words.
        public let after: [String]
        /// Whether the result is made in a new file, a copy, or the original.
        public let method: MigrationPlan.Method
        /// Why it is made so, as a clause.
        public let methodReason: String
        /// What becomes of the rows of each entity.
        public let entities: [MigrationPlan.EntityPlan]
        /// What the plan of the step found out.
        public let findings: [MigrationFinding]
    }

    /// The plan of the first step, whose keys the document has.
    public let first: MigrationPlanDocument
    /// The name of the version that the last step leads to.
    public let destinationVersion: String
    /// The outcome in a sentence.
    public let verdict: String
    /// The findings of all steps, each once.
    public let findings: [MigrationFinding]
    /// The steps in their order.
    public let chain: [Step]

    /// Makes the document of a plan.
    public init(_ plan: ChainPlan) {
        first = MigrationPlanDocument(plan.first)
        destinationVersion = plan.destinationVersion
        verdict = plan.verdict
        findings = plan.findings
        chain = plan.steps.map { step in
            Step(
                number: step.number, source: step.step.source.name, destination: step.step.destination.name,
                by: step.step.way, reason: step.step.reason, plannedOnData: !step.isSketch,
                before: step.step.before.map(\.text), after: step.step.after.map(\.text), method: step.plan.method,
                methodReason: step.plan.methodReason, entities: step.plan.entities, findings: step.plan.findings)
        }
    }

    private enum Keys: String, CodingKey { case destinationVersion, verdict, findings, chain }

    /// What is said of the whole chain stands instead of what is said of its first step.
    public func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(destinationVersion, forKey: .destinationVersion)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(findings, forKey: .findings)
        try container.encode(chain, forKey: .chain)
    }
}
