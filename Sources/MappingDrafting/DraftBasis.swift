/// What a draft may go by.
package enum DraftBasis {
    /// Everything in the sample: values, similar names, what seems to tell records apart. Somebody looks it through.
    case sample
    /// What the model and the source's schema declare, and equal names: it is applied without being looked at.
    case declarations
}
