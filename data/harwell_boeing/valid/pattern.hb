pattern                                                                 TEST    
             2             1             1             0             0
PUA                        2             2             2             0
(3I4)           (2I4)                                                   
   1   2   3
   2   1
