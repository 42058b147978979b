elemental                                                               TEST    
             4             1             1             2             0
RUE                        2             2             4             0
(3I4)           (4I4)           (1P,2D12.4)                             
   1   3   5
